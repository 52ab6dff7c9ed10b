#include "ms_runtime.h"

// Weak: it is there in a program that has Foundation, and nothing asks for Foundation because of us.
extern const char uuid_metadata[] __asm__("$s20FoundationEssentials4UUIDVN") __attribute__((weak));

bool ms_type_is_uuid(const void *type) { return uuid_metadata != NULL && type == uuid_metadata; }

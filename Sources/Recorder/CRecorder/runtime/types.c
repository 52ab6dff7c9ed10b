#include "ms_runtime.h"

// Weak: defined only in a program that links Foundation; the reference does not load Foundation.
extern const char uuid_metadata[] __asm__("$s20FoundationEssentials4UUIDVN") __attribute__((weak));

bool ms_type_is_uuid(const void *type) { return uuid_metadata != NULL && type == uuid_metadata; }

#include "ms_runtime.h"

// Weak: defined only in a program that uses Foundation, which this reference does not load.
extern const char uuid_metadata[] __asm__("$s20FoundationEssentials4UUIDVN") __attribute__((weak));

bool ms_type_is_uuid(const void *type) { return uuid_metadata != NULL && type == uuid_metadata; }

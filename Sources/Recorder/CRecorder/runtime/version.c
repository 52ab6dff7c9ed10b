#include "ms_runtime.h"

#include <stddef.h>

#include "ms_facts.h"
#include "swift_call.h"

// The getter of the standard library's `_SwiftStdlibVersion.current`. Weak, because a C program does not link the
// library.
extern MS_SWIFT_CALL uint32_t stdlib_version(void) __asm__("$sSo19_SwiftStdlibVersionasE7currentABvgZ")
    __attribute__((weak));

enum { first_known = 0x060000, first_unknown = 0x060400 };

uint32_t ms_runtime_version(void) { return stdlib_version ? stdlib_version() : 0; }

bool ms_runtime_is_known_version(uint32_t version) { return version >= first_known && version < first_unknown; }

bool ms_runtime_is_known(void) {
  return ms_fact_learned(MS_FACT_RUNTIME_VERSION, ms_runtime_is_known_version(ms_runtime_version()));
}

// Facts about an address that do not require reading its memory.
#ifndef MAINSTAY_ADDRESS_H
#define MAINSTAY_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if the word at `address` is readable, by querying the kernel. Preserves errno.
///
/// Signal safety: safe; the system call has no effect.
bool ms_is_readable(uintptr_t address);

/// Returns true if `address` is in the code of a loaded object; true also if unknown.
///
/// Signal safety: safe.
bool ms_is_code(uintptr_t address);

#ifdef __cplusplus
}
#endif
#endif

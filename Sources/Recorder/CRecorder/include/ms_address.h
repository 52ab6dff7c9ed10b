// Facts about an address that are known without reading its memory.
#ifndef MAINSTAY_ADDRESS_H
#define MAINSTAY_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the word at `address` can be read, by asking the kernel. Keeps errno.
///
/// Signal safety: safe; the system call changes nothing.
bool ms_is_readable(uintptr_t address);

/// Whether `address` lies in the code of an object that is loaded; true if unknown.
///
/// Signal safety: safe.
bool ms_is_code(uintptr_t address);

#ifdef __cplusplus
}
#endif
#endif

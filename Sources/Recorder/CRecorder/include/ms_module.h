// The module that contains an address, by the loader's index, without a lock.
#ifndef MAINSTAY_MODULE_H
#define MAINSTAY_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A program or a shared library that is loaded.
typedef struct {
  uintptr_t bias;           ///< added to the file's addresses
  const char *path;         ///< empty for the program
  const void *link_map;     ///< the loader's own record: its identity as long as the module is loaded
  const uint8_t *start;     ///< of what is mapped around the address, without a gap
  const uint8_t *end;
  const uint8_t *eh_frame;  ///< the header of its unwind information; NULL if it has none
} ms_module;

/// Whether the C library has the index that `ms_module_at` asks: glibc 2.35 and later.
///
/// Signal safety: safe.
bool ms_module_has_index(void);

/// Finds the module that contains `address`; false if none exists, or there is no index.
///
/// Signal safety: safe; the index is read without a lock.
bool ms_module_at(uintptr_t address, ms_module *module);

/// The program headers of a module, from memory, and their number; NULL if they are not mapped, as the vDSO's may not
/// be. They are an array of `ElfW(Phdr)`.
///
/// Signal safety: safe.
const void *ms_module_headers(const ms_module *module, size_t *count);

/// The name of the file that an address is in, without its folders, and the offset there; empty for the program. NULL if
/// there is no module, or no index.
///
/// Signal safety: safe.
const char *ms_module_file_at(uintptr_t address, uintptr_t *offset);

#ifdef __cplusplus
}
#endif
#endif

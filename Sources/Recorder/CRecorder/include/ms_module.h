// Finds the module that contains an address in the loader's lock-free index.
#ifndef MAINSTAY_MODULE_H
#define MAINSTAY_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A loaded program or shared library.
typedef struct {
  uintptr_t bias;           ///< load address minus the address in the file
  const char *path;         ///< empty for the program
  const void *link_map;     ///< the loader's record: identifies the module as long as it is loaded
  const uint8_t *start;     ///< the start of the contiguous mapping around the address
  const uint8_t *end;
  const uint8_t *eh_frame;  ///< the .eh_frame_hdr section; NULL if missing
} ms_module;

/// Returns true if the C library has the index that `ms_module_at` uses: glibc 2.35 and later.
///
/// Signal safety: safe.
bool ms_module_has_index(void);

/// Finds the module that contains `address`; returns false if no module does, or without an index.
///
/// Signal safety: safe; the index is read without a lock.
bool ms_module_at(uintptr_t address, ms_module *module);

/// Returns the program headers of a module in memory, an array of `ElfW(Phdr)`, and their number; NULL if they are
/// not mapped, which can be the case for the vDSO.
///
/// Signal safety: safe.
const void *ms_module_headers(const ms_module *module, size_t *count);

/// Returns the base name of the file that contains `address`, and the offset in the file; an empty name for the
/// program. NULL if no module contains the address, or without an index.
///
/// Signal safety: safe.
const char *ms_module_file_at(uintptr_t address, uintptr_t *offset);

#ifdef __cplusplus
}
#endif
#endif

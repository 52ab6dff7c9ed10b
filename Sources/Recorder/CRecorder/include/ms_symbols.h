// Reads the symbol tables of loaded files: names and addresses of functions that a module does not export.
#ifndef MAINSTAY_SYMBOLS_H
#define MAINSTAY_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct link_map;

/// Returns the loader's record of the module that contains `address`; NULL if none does. Signal safety: none; it
/// calls the loader.
const struct link_map *ms_symbol_module(const void *address);

/// Returns the size in bytes of the exported function at `function`; 0 if it is not exported. Signal safety: none; it
/// calls the loader.
uint64_t ms_symbol_size(const void *function);

/// Writes the linker name of the function that contains `address` into `name`, truncated to fit, from the symbol
/// table of the mapped file. Returns false if the file is stripped or unreadable.
///
/// Signal safety: none; calls the loader and maps the file.
bool ms_symbol_around(uintptr_t address, char *name, size_t room);

/// A function of the program to look up.
typedef struct {
  const char *name;
  uintptr_t address;  ///< 0: not found
  uint64_t size;
} ms_symbol;

/// Looks up addresses and sizes of functions of the program; returns false unless all were found.
///
/// Signal safety: none; maps the program's file.
bool ms_symbols_of_program(ms_symbol *symbols, size_t count);

#ifdef __cplusplus
}
#endif
#endif

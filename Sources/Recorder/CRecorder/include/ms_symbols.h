// The symbol tables of files that are loaded: names and addresses of functions that a module does not export.
#ifndef MAINSTAY_SYMBOLS_H
#define MAINSTAY_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct link_map;

/// The loader's record of the module around `address`; NULL if none exists. Signal safety: none; it asks the loader.
const struct link_map *ms_symbol_module(const void *address);

/// The size of the exported function at `function` in bytes; 0 if it is not exported. Signal safety: none; it asks the loader.
uint64_t ms_symbol_size(const void *function);

/// Puts the linker's name of the function around `address` into `name`, cut to fit, by the symbol table of the file that
/// is mapped there; false if that was stripped, or cannot be read.
///
/// Signal safety: none; it asks the loader and maps the file.
bool ms_symbol_around(uintptr_t address, char *name, size_t room);

/// A function of the program to look for.
typedef struct {
  const char *name;
  uintptr_t address;  ///< 0: not found
  uint64_t size;
} ms_symbol;

/// Fills in addresses and sizes of functions of the program; false unless all were found.
///
/// Signal safety: none; it maps the program's file.
bool ms_symbols_of_program(ms_symbol *symbols, size_t count);

#ifdef __cplusplus
}
#endif
#endif

// Finds functions of the program that it does not export, by the table of symbols in its file.
#ifndef MAINSTAY_PROGRAM_SYMBOLS_H
#define MAINSTAY_PROGRAM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  uintptr_t address;  ///< 0: not found
  uint64_t size;
} ms_symbol;

/// Fills in addresses and sizes; false unless all were found. Not signal-safe.
bool ms_program_symbols(ms_symbol *symbols, size_t count);

#endif

// Reads a file's symbol table.
#ifndef MS_SYMBOLS_H
#define MS_SYMBOLS_H

#include "sections.h"
#include "tables.h"

/// Appends the symbols that name code, in ascending order of their starts.
void ms_read_symbols(ms_builder *builder, Elf *elf, const ms_sections *sections);

/// True if a single symbol covers a whole address range, and therefore names its function.
bool ms_symbol_covers(ms_builder *builder, uint32_t low, uint32_t high);

#endif

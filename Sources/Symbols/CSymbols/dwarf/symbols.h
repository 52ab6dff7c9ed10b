// Reads a file's symbol table.
#ifndef MS_SYMBOLS_H
#define MS_SYMBOLS_H

#include "sections.h"
#include "tables.h"

/// Appends the symbols that name code, in the order of their starts.
void ms_read_symbols(ms_builder *builder, Elf *elf, const ms_sections *sections);

/// Whether one symbol covers all of some addresses, so that it names the function there.
bool ms_symbol_covers(ms_builder *builder, uint32_t low, uint32_t high);

#endif

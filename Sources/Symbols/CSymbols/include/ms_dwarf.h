// The narrow C interface over libelf and libdw: the symbols and debug information of a module as plain tables.
//
#ifndef MS_CDWARF_H
#define MS_CDWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks the absence of a text or a scope in the tables below.
#define MS_NONE UINT32_MAX

/// Says what an ELF file carries, from its headers alone.
typedef struct {
  uint8_t build_id[64];
  /// 0 if the file carries none, or one longer than 64 bytes.
  uint32_t build_id_length;
  /// Debug information that is whole: not one that shares parts with other files (`dwz -m`).
  bool has_debug_info;
  bool has_symbol_table;
  bool has_dynamic_symbols;
  /// The file name that `.gnu_debuglink` gives; empty if none exists.
  char debug_link[256];
} ms_module_facts;

/// Reads an ELF file's facts; false when it is no executable or shared object of this byte order.
bool ms_module_read_facts(int fd, ms_module_facts *facts);

/// A row of a line table: valid from its start to the start of the next row. Starts are offsets in the code. A row
/// without file, line and column marks an unknown range.
typedef struct {
  uint32_t start;
  uint32_t file;
  uint32_t line;
  uint32_t column;
} ms_line_row;

/// A function, or a function inlined into its parent scope. The first one stands for all functions
/// that have no scope of their own, since symbols cover and so name them.
typedef struct {
  uint32_t name;
  uint32_t parent;
  uint32_t call_file;
  uint32_t call_line;
  uint32_t call_column;
} ms_scope;

/// Addresses of a scope, as offsets in the code; MS_NONE for a function that symbols name.
typedef struct {
  uint32_t low, high;
  uint32_t scope;
} ms_scope_range;

/// Addresses that a compile unit says are its own, counted from where the code begins.
typedef struct {
  uint32_t low, high;
} ms_unit_range;

/// A compile unit, by the ends of its ranges in the tables. Units may share rows; the ranges and scope ranges of a
/// unit begin at the end of those of the unit before.
typedef struct {
  size_t rows_begin, rows_end;
  size_t ranges_end, scope_ranges_end;
} ms_unit;

/// How far a symbol in executable code reaches from its start, and its name.
typedef struct {
  uint32_t size;
  uint32_t name;
} ms_symbol;

/// Everything a module says of its code. Files and names are numbers of texts: text `i` is the C
/// string at `strings + text_starts[i]`.
typedef struct {
  ms_unit *units;
  ms_unit_range *ranges;
  ms_line_row *rows;
  ms_scope *scopes;
  ms_scope_range *scope_ranges;
  /// The start of each symbol, as an offset in the code; ascending, without duplicates.
  uint32_t *symbol_starts;
  ms_symbol *symbols;
  char *strings;
  uint32_t *text_starts;
  size_t unit_count, range_count, row_count, scope_count, scope_range_count;
  size_t symbol_start_count, symbol_count;
  size_t string_bytes, text_count;
  /// The addresses of executable code. Entries outside are left out: linkers set the addresses of dropped functions
  /// to 0, 1 or the highest address.
  uint64_t text_low, text_high;
} ms_tables;

/// How reading a module's tables ended.
typedef enum {
  MS_TABLES_READ,
  MS_TABLES_NOT_ELF,
  /// The tables would pass the bounds, or memory ran out.
  MS_TABLES_TOO_LARGE,
} ms_tables_result;

/// Reads a module's symbols, and its DWARF if present; damaged parts are left out. The caller frees the tables,
/// whatever the result.
ms_tables_result ms_tables_read(int fd, ms_tables *tables);

/// Frees what `ms_tables_read` allocated.
void ms_tables_free(ms_tables *tables);

/// Finds the values of symbols by their names, in the table of symbols and in the dynamic one; `UINT64_MAX` for a name that
/// neither defines.
void ms_symbols_find(int fd, const char *const *names, size_t name_count, uint64_t *values);

#endif

// A narrow C interface over libelf and libdw: the symbols and debug information of a module as plain tables.
#ifndef MS_CDWARF_H
#define MS_CDWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Marks the absence of a text or a scope in the tables below.
#define MS_NONE UINT32_MAX

/// The facts about an ELF file, from its headers alone.
typedef struct {
  uint8_t build_id[64];
  /// The length of the build id; 0 if the file has no build id, or one longer than 64 bytes.
  uint32_t build_id_length;
  /// True if the file has complete debug information, without parts in other files (`dwz -m`).
  bool has_debug_info;
  bool has_symbol_table;
  bool has_dynamic_symbols;
  /// The file name in `.gnu_debuglink`; empty without such a section.
  char debug_link[256];
} ms_module_facts;

/// Reads an ELF file's facts; returns false if the file is not an executable or shared object of native byte order.
bool ms_module_read_facts(int fd, ms_module_facts *facts);

/// A row of a line table: valid from its start to the start of the next row. Starts are offsets in the code. A row
/// without file, line and column marks an unknown range.
typedef struct {
  uint32_t start;
  uint32_t file;
  uint32_t line;
  uint32_t column;
} ms_line_row;

/// A function, or a function inlined into its parent scope. The first scope stands for all functions without a scope
/// of their own, which symbols cover and name.
typedef struct {
  uint32_t name;
  uint32_t parent;
  uint32_t call_file;
  uint32_t call_line;
  uint32_t call_column;
} ms_scope;

/// An address range of a scope, as offsets in the code. The scope is MS_NONE for a function that symbols name.
typedef struct {
  uint32_t low, high;
  uint32_t scope;
} ms_scope_range;

/// An address range that a compile unit claims, as offsets in the code.
typedef struct {
  uint32_t low, high;
} ms_unit_range;

/// A compile unit, by the ends of its ranges in the tables. Units may share rows. The ranges of a unit begin at the
/// end of the previous unit's ranges.
typedef struct {
  size_t rows_begin, rows_end;
  size_t ranges_end, scope_ranges_end;
} ms_unit;

/// The size and the name of a symbol in executable code.
typedef struct {
  uint32_t size;
  uint32_t name;
} ms_symbol;

/// The symbols and debug information of a module. Files and names are indices of texts: text `i` is the C string at
/// `strings + text_starts[i]`.
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
  /// The bounds of executable code. Entries outside of the bounds are omitted: linkers set the addresses of dropped
  /// functions to 0, 1 or the highest address.
  uint64_t text_low, text_high;
} ms_tables;

/// The result of reading a module's tables.
typedef enum {
  MS_TABLES_READ,
  MS_TABLES_NOT_ELF,
  /// The tables would exceed the limits, or memory ran out.
  MS_TABLES_TOO_LARGE,
} ms_tables_result;

/// Reads a module's symbols, and its DWARF if present; corrupt parts are omitted. The caller frees the tables,
/// whatever the result.
ms_tables_result ms_tables_read(int fd, ms_tables *tables);

/// Frees what `ms_tables_read` allocated.
void ms_tables_free(ms_tables *tables);

/// Finds the values of symbols by their names, in the symbol table and in the dynamic symbol table; `UINT64_MAX` for
/// a name that neither table defines.
void ms_symbols_find(int fd, const char *const *names, size_t name_count, uint64_t *values);

#endif

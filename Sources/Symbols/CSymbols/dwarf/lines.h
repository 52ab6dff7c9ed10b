// Reads line tables.
#ifndef MS_LINES_H
#define MS_LINES_H

#include "unit.h"

/// A source file of a line table. The path is composed at the first lookup.
typedef struct {
  const char *name;
  uint64_t directory;
  uint32_t text;
  bool has_text;
} ms_line_file;

/// A reader of the line tables of units, one after the other.
typedef struct {
  ms_builder *builder;
  /// The compilation directory of the unit; NULL if unknown.
  const char *home;
  /// The start of the table that was read last, which the next unit may share.
  const uint8_t *at;
  /// The version in the table's header. Files are counted from 0 in DWARF 5, and from 1 in earlier versions.
  uint16_t version;
  const char **directories;
  ms_line_file *files;
  size_t directory_count, directory_room, file_count, file_room;
  /// The range of the unit's rows.
  size_t rows_begin, rows_end;
} ms_line_reader;

/// Appends the rows of the table at an offset, in ascending order of their addresses.
void ms_lines_read(ms_line_reader *reader, const ms_debug_unit *unit, uint64_t offset,
                   const char *home);

/// Clears rows and files, for a unit without a table.
void ms_lines_none(ms_line_reader *reader);

/// The interned path of a file of the table; MS_NONE if the file does not exist.
uint32_t ms_line_file_text(ms_line_reader *reader, uint64_t number);

void ms_lines_free(ms_line_reader *reader);

/// True if the range from a row on is unknown.
static inline bool ms_row_ends_sequence(const ms_line_row *row) {
  return row->file == MS_NONE && row->line == 0 && row->column == 0;
}

/// True if a row sorts before another. At the same address, a row that ends a sequence comes first.
static inline bool ms_row_is_before(const ms_line_row *row, const ms_line_row *other) {
  if (row->start != other->start) return row->start < other->start;
  return ms_row_ends_sequence(row) && !ms_row_ends_sequence(other);
}

/// Sorts rows by their starts. At the same address, rows that end a sequence come first; otherwise the order is
/// stable.
void ms_rows_sort(ms_builder *builder, ms_line_row *rows, size_t count);

#endif

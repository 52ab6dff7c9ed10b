// Reads line tables.
#ifndef MS_LINES_H
#define MS_LINES_H

#include "unit.h"

/// A source file of a line table. Its path is put together when it is first asked for.
typedef struct {
  const char *name;
  uint64_t directory;
  uint32_t text;
  bool has_text;
} ms_line_file;

/// Reads the line tables of units, one after the other.
typedef struct {
  ms_builder *builder;
  /// The compilation directory of the unit; NULL if unknown.
  const char *home;
  /// The table read last: units may share one.
  const uint8_t *at;
  /// As the table's header says; files are counted from 0 in DWARF 5, and from 1 before.
  uint16_t version;
  const char **directories;
  ms_line_file *files;
  size_t directory_count, directory_room, file_count, file_room;
  /// The range of the unit's rows.
  size_t rows_begin, rows_end;
} ms_line_reader;

/// Appends the rows of the table at an offset, in the order of their addresses.
void ms_lines_read(ms_line_reader *reader, const ms_debug_unit *unit, uint64_t offset,
                   const char *home);

/// Has no rows and no files to offer, for a unit without a table.
void ms_lines_none(ms_line_reader *reader);

/// The text of the path of a file of the table; MS_NONE where there is no such file.
uint32_t ms_line_file_text(ms_line_reader *reader, uint64_t number);

void ms_lines_free(ms_line_reader *reader);

/// Whether nothing is known from a row on.
static inline bool ms_row_ends_sequence(const ms_line_row *row) {
  return row->file == MS_NONE && row->line == 0 && row->column == 0;
}

/// True if a row sorts before another. At the same address, a row that ends a sequence comes first.
static inline bool ms_row_is_before(const ms_line_row *row, const ms_line_row *other) {
  if (row->start != other->start) return row->start < other->start;
  return ms_row_ends_sequence(row) && !ms_row_ends_sequence(other);
}

/// Sorts rows by their starts, those that end a sequence first; keeps the order of equal ones.
void ms_rows_sort(ms_builder *builder, ms_line_row *rows, size_t count);

#endif

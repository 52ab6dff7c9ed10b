// Reads compile units, scopes and line rows through libdw.
#ifndef MS_DEBUG_INFO_H
#define MS_DEBUG_INFO_H

#include <elfutils/libdw.h>

#include "tables.h"

/// Appends every compile unit to the tables; entries that libdw cannot read are left out.
///
/// Each of libdw's calls takes time and memory in proportion to the file, but a mangled file can
/// have a great many units that repeat the same work: reading stops and fails when they pass what
/// any real file of this size takes.
void ms_read_units(ms_builder *builder, Dwarf *dwarf, int fd, uint64_t file_size);

/// What the walk over one unit's entries needs to know.
typedef struct {
  ms_builder *builder;
  /// Where the unit was compiled; NULL where it does not say.
  const char *directory;
  Dwarf_Files *files;
  size_t file_count;
  /// The text of each file name of the unit, and the unit that asked for it.
  struct ms_file_name {
    uint32_t text, unit;
  } *file_names;
  size_t file_room;
  /// Counted from 1.
  uint32_t unit;
  /// The line table read last, and where its rows stand: units may share one.
  Dwarf_Lines *lines;
  size_t rows_begin, rows_end;
  /// The names of entries that others refer to, by the entry's address.
  struct ms_name_cache *names;
} ms_unit_reader;

/// The text of a file of the unit's line table.
uint32_t ms_unit_file(ms_unit_reader *reader, size_t index);

/// Appends the functions, and what is inlined into them, below a unit's entry.
void ms_read_scopes(ms_unit_reader *reader, Dwarf_Die *unit, const unsigned char *end);

/// The names of an entry: as the linker knows it, and as the source does.
typedef struct {
  uint32_t linkage, plain;
} ms_names;

typedef struct ms_name_cache {
  struct {
    const void *entry;
    ms_names names;
  } *slots;
  size_t slot_count, used;
} ms_name_cache;

#endif

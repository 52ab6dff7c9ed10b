// Reads compile units: their addresses, line rows and scopes.
#ifndef MS_DEBUG_INFO_H
#define MS_DEBUG_INFO_H

#include "lines.h"

/// The names of an entry: as the linker knows it, and as the source does; NULL if it has none.
typedef struct {
  const char *linkage, *plain;
} ms_names;

/// The names of entries that others refer to, by the entry's place.
typedef struct {
  struct ms_name_slot {
    const uint8_t *entry;
    ms_names names;
  } *slots;
  size_t slot_count, used;
} ms_name_cache;

/// The state of the walk over the units of a file.
typedef struct {
  ms_builder *builder;
  ms_line_reader lines;
  /// The units of the file in order, the current one, and its abbreviations.
  ms_debug_unit *units;
  size_t unit_count, unit_room;
  const ms_debug_unit *unit;
  ms_abbreviations abbreviations;
  /// Those of the other unit that was referred to last.
  ms_abbreviations referred;
  ms_name_cache names;
} ms_reader;

/// The content of a unit's first entry, besides the fields that complete the unit's header.
typedef struct {
  uint16_t tag;
  bool has_children, has_lines;
  ms_extent extent;
  uint64_t lines;
  const char *home;
  /// The file with a skeleton's other half.
  const char *split_name;
  /// The base of the other half's ranges, before DWARF 5.
  uint64_t split_ranges_base;
} ms_unit_top;

/// Appends every compile unit that has code to the tables; unreadable units are left out.
void ms_read_units(ms_builder *builder, const ms_sections *sections, int fd);

/// Reads a unit's first entry, and completes the unit. False if the entry cannot be read.
bool ms_read_top(ms_builder *builder, ms_abbreviations *table, ms_debug_unit *unit,
                 ms_unit_top *top);

/// Appends the scope that all functions share which symbols name.
void ms_scopes_begin(ms_builder *builder);

/// Appends the functions of the reader's unit, with the functions inlined into them.
void ms_read_scopes(ms_reader *reader);

/// Appends the functions of a skeleton's other half, if its file is found; false if it is not.
bool ms_read_split(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                   int fd);

// MARK: Names

/// The content of a function's entry.
typedef struct {
  ms_value linkage, plain, origin, specification;
  ms_extent extent;
  ms_value call_file, call_line, call_column;
} ms_function_facts;

/// Reads the attributes of a function's entry from behind its code on.
void ms_read_function(ms_bytes *bytes, const ms_abbreviations *table,
                      const ms_abbreviation *abbreviation, ms_function_facts *facts);

/// The names of an entry, or of the entry that it refers to.
ms_names ms_names_of(ms_reader *reader, const ms_debug_unit *unit, const ms_function_facts *facts,
                     int depth);

/// Clears the cache of names, after its entries have been freed.
void ms_forget_names(ms_name_cache *names);

#endif

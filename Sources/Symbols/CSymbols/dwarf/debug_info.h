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

/// What the walk over the units of a file needs to know.
typedef struct {
  ms_builder *builder;
  ms_line_reader lines;
  /// The units of the file, in its order; which of them is read, and in which abbreviations.
  ms_debug_unit *units;
  size_t unit_count, unit_room;
  const ms_debug_unit *unit;
  ms_abbreviations abbreviations;
  /// Those of the other unit that was referred to last.
  ms_abbreviations referred;
  ms_name_cache names;
} ms_reader;

/// What a unit's first entry says, besides what its header is completed with.
typedef struct {
  uint16_t tag;
  bool has_children, has_lines;
  ms_extent extent;
  uint64_t lines;
  const char *home;
  /// The file with a skeleton's other half.
  const char *split_name;
  /// What the other half's ranges are counted from, before DWARF 5.
  uint64_t split_ranges_base;
} ms_unit_top;

/// Appends every compile unit that has code to the tables; what cannot be read is left out.
void ms_read_units(ms_builder *builder, const ms_sections *sections, int fd);

/// Reads a unit's first entry, and completes the unit by it. False when it cannot be read.
bool ms_read_top(ms_builder *builder, ms_abbreviations *table, ms_debug_unit *unit,
                 ms_unit_top *top);

/// Appends the scope that all functions share which symbols name.
void ms_scopes_begin(ms_builder *builder);

/// Appends the functions of the reader's unit, and what is inlined into them.
void ms_read_scopes(ms_reader *reader);

/// Appends the functions of a skeleton's other half, if its file is found; false if it is not.
bool ms_read_split(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                   int fd);

// MARK: Names

/// What a function's entry says of itself.
typedef struct {
  ms_value linkage, plain, origin, specification;
  ms_extent extent;
  ms_value call_file, call_line, call_column;
} ms_function_facts;

/// Reads the attributes of a function's entry from behind its code on.
void ms_read_function(ms_bytes *bytes, const ms_abbreviations *table,
                      const ms_abbreviation *abbreviation, ms_function_facts *facts);

/// An entry's names, which may be those of what it refers to.
ms_names ms_names_of(ms_reader *reader, const ms_debug_unit *unit, const ms_function_facts *facts,
                     int depth);

/// Forgets all names: what they were the names of is gone.
void ms_forget_names(ms_name_cache *names);

#endif

// Reads compile units: their addresses, line rows and scopes.
#ifndef MS_DEBUG_INFO_H
#define MS_DEBUG_INFO_H

#include "lines.h"

/// The names of an entry: the linkage name and the source name; NULL for a missing name.
typedef struct {
  const char *linkage, *plain;
} ms_names;

/// A cache of the names of referenced entries, by the entry's address.
typedef struct {
  struct ms_name_slot {
    const uint8_t *entry;
    ms_names names;
  } *slots;
  size_t slot_count, used;
} ms_name_cache;

/// The state of the iteration over the units of a file.
typedef struct {
  ms_builder *builder;
  ms_line_reader lines;
  /// The units of the file in order, the current unit, and its abbreviations.
  ms_debug_unit *units;
  size_t unit_count, unit_room;
  const ms_debug_unit *unit;
  ms_abbreviations abbreviations;
  /// The abbreviations of the foreign unit to which an entry last referred (cache).
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
  /// The name of the file with a skeleton's split unit.
  const char *split_name;
  /// The base of the split unit's ranges, before DWARF 5.
  uint64_t split_ranges_base;
} ms_unit_top;

/// Appends every compile unit that has code to the tables; unreadable units are omitted.
void ms_read_units(ms_builder *builder, const ms_sections *sections, int fd);

/// Reads a unit's first entry, and completes the unit. Returns false if the entry cannot be read.
bool ms_read_top(ms_builder *builder, ms_abbreviations *table, ms_debug_unit *unit,
                 ms_unit_top *top);

/// Appends the scope that is shared by all functions which symbols name.
void ms_scopes_begin(ms_builder *builder);

/// Appends the functions of the reader's unit, with the functions inlined into them.
void ms_read_scopes(ms_reader *reader);

/// Appends the functions of a skeleton's split unit; returns false if its file is not found.
bool ms_read_split(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                   int fd);

// MARK: Names

/// The attributes of a function's entry.
typedef struct {
  ms_value linkage, plain, origin, specification;
  ms_extent extent;
  ms_value call_file, call_line, call_column;
} ms_function_facts;

/// Reads the attributes of a function's entry, which follow the entry's code.
void ms_read_function(ms_bytes *bytes, const ms_abbreviations *table,
                      const ms_abbreviation *abbreviation, ms_function_facts *facts);

/// The names of an entry, or of the entry to which it refers.
ms_names ms_names_of(ms_reader *reader, const ms_debug_unit *unit, const ms_function_facts *facts,
                     int depth);

/// Frees the cache of names.
void ms_forget_names(ms_name_cache *names);

#endif

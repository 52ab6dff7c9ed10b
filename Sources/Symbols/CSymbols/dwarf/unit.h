// A unit of debug information, the values in its entries, and their addresses.
#ifndef MS_UNIT_H
#define MS_UNIT_H

#include "abbreviations.h"

/// A unit's header, and the attributes of its first entry on which the values of other entries depend.
typedef struct {
  /// The sections of the file that contains the unit.
  const ms_sections *sections;
  /// The sections of the program, which contain the addresses; different only for a unit of a `.dwo` file.
  const ms_sections *program;
  const uint8_t *start, *entries, *end;
  ms_widths widths;
  uint8_t type;
  uint64_t abbreviations;
  /// The id that a skeleton shares with its split unit.
  uint64_t split_id;
  /// The base address of ranges.
  uint64_t low;
  uint64_t address_base, string_base, ranges_base, lists_base;
} ms_debug_unit;

/// Reads the header of the unit at an offset of `.debug_info`, and the offset of the next unit. Returns false at the
/// end, and for an invalid header.
bool ms_unit_read_header(const ms_sections *sections, uint64_t offset, ms_debug_unit *unit,
                         uint64_t *next);

/// The encoded abbreviations of a unit.
ms_bytes ms_unit_abbreviations(const ms_debug_unit *unit);

/// The value of an attribute. The form is 0 if the entry lacks the attribute.
typedef struct {
  uint16_t form;
  uint64_t number;
  /// The string, if it is stored in the entry itself.
  const char *string;
} ms_value;

static inline bool ms_has(const ms_value *value) { return value->form != 0; }

/// Reads an attribute's value.
void ms_value_read(ms_bytes *bytes, const ms_attribute *attribute, ms_widths widths,
                   ms_value *value);

/// Skips a value whose form has no fixed size.
void ms_value_skip_form(ms_bytes *bytes, uint16_t form, ms_widths widths);

static inline void ms_value_skip(ms_bytes *bytes, const ms_attribute *attribute, ms_widths widths) {
  if (attribute->size >= 0) ms_take(bytes, (uint64_t)attribute->size);
  else ms_value_skip_form(bytes, attribute->form, widths);
}

/// The string that a value contains or refers to; NULL for any other value.
const char *ms_value_string(const ms_debug_unit *unit, const ms_value *value);

/// The number that a value contains; 0 for any other value.
uint64_t ms_value_number(const ms_value *value);

/// Reads the address that a value contains or refers to; returns false for any other value.
bool ms_value_address(const ms_debug_unit *unit, const ms_value *value, uint64_t *address);

/// The entry to which a value refers; NULL if the entry is not in this file.
const uint8_t *ms_value_entry(const ms_debug_unit *unit, const ms_value *value);

/// The attributes of an entry that determine its addresses.
typedef struct {
  ms_value low, high, ranges;
} ms_extent;

/// Stores an attribute's value, if the attribute determines addresses.
void ms_extent_collect(ms_extent *extent, uint16_t name, const ms_value *value);

/// An iterator over the address ranges of an entry.
typedef struct {
  const ms_debug_unit *unit;
  ms_bytes bytes;
  uint64_t base;
  /// The only range, if `is_single`.
  uint64_t low, high;
  bool is_single, is_list, is_done;
} ms_ranges;

ms_ranges ms_extent_ranges(const ms_debug_unit *unit, const ms_extent *extent);

/// Reads the next range, which may be empty; returns false after the last range.
bool ms_next_range(ms_ranges *ranges, uint64_t *low, uint64_t *high);

#endif

// A unit of debug information, the values in its entries, and the addresses they name.
#ifndef MS_UNIT_H
#define MS_UNIT_H

#include "abbreviations.h"

/// A unit's header, and what its first entry says that the values in the others rest upon.
typedef struct {
  /// The file's that the unit is in.
  const ms_sections *sections;
  /// The program's, where the addresses are: the same, but for the unit of a `.dwo` file.
  const ms_sections *program;
  const uint8_t *start, *entries, *end;
  ms_widths widths;
  uint8_t type;
  uint64_t abbreviations;
  /// The id that a skeleton and its other half share.
  uint64_t split_id;
  /// The base of ranges.
  uint64_t low;
  uint64_t address_base, string_base, ranges_base, lists_base;
} ms_debug_unit;

/// Reads the header of the unit at an offset of `.debug_info`, and the offset of the next unit. False at the end, and
/// for a header that is invalid.
bool ms_unit_read_header(const ms_sections *sections, uint64_t offset, ms_debug_unit *unit,
                         uint64_t *next);

/// The bytes of the abbreviations of a unit.
ms_bytes ms_unit_abbreviations(const ms_debug_unit *unit);

/// The value of an attribute; its form is 0 if the entry does not have it.
typedef struct {
  uint16_t form;
  uint64_t number;
  /// Of a string that stands in the entry itself.
  const char *string;
} ms_value;

static inline bool ms_has(const ms_value *value) { return value->form != 0; }

/// Reads an attribute's value.
void ms_value_read(ms_bytes *bytes, const ms_attribute *attribute, ms_widths widths,
                   ms_value *value);

/// Passes a value whose form has no fixed size.
void ms_value_skip_form(ms_bytes *bytes, uint16_t form, ms_widths widths);

/// Passes a value.
static inline void ms_value_skip(ms_bytes *bytes, const ms_attribute *attribute, ms_widths widths) {
  if (attribute->size >= 0) ms_take(bytes, (uint64_t)attribute->size);
  else ms_value_skip_form(bytes, attribute->form, widths);
}

/// The string that a value is or refers to; NULL if it is none.
const char *ms_value_string(const ms_debug_unit *unit, const ms_value *value);

/// The number that a value is; 0 if it is none.
uint64_t ms_value_number(const ms_value *value);

/// The address that a value is or refers to; false if it is none.
bool ms_value_address(const ms_debug_unit *unit, const ms_value *value, uint64_t *address);

/// The entry that a value refers to; NULL if it is none of this file.
const uint8_t *ms_value_entry(const ms_debug_unit *unit, const ms_value *value);

/// The attributes of an entry that give its addresses.
typedef struct {
  ms_value low, high, ranges;
} ms_extent;

/// Takes in an attribute's value, if it is about addresses.
void ms_extent_collect(ms_extent *extent, uint16_t name, const ms_value *value);

/// Goes through the addresses of an entry.
typedef struct {
  const ms_debug_unit *unit;
  ms_bytes bytes;
  uint64_t base;
  /// The only range there is, when `is_single`.
  uint64_t low, high;
  bool is_single, is_list, is_done;
} ms_ranges;

ms_ranges ms_extent_ranges(const ms_debug_unit *unit, const ms_extent *extent);

/// Reads the next range, which may be empty; false at the end.
bool ms_next_range(ms_ranges *ranges, uint64_t *low, uint64_t *high);

#endif

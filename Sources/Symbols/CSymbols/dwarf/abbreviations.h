// The abbreviations that encode the entries of a unit.
#ifndef MS_ABBREVIATIONS_H
#define MS_ABBREVIATIONS_H

#include "sections.h"
#include "tables.h"

/// An attribute of an abbreviation.
typedef struct {
  uint16_t name, form;
  /// The size in bytes, as in `ms_form_size`.
  int32_t size;
  /// The value, for `DW_FORM_implicit_const`.
  int64_t constant;
} ms_attribute;

/// An abbreviation: the tag and the attributes of all entries with the same code.
typedef struct {
  uint64_t code;
  /// The index of the first attribute in the table's attributes, and their number.
  uint32_t first, count;
  /// The size of the attributes in bytes, if it is the same in all entries; else -1.
  int32_t size;
  uint16_t tag;
  bool has_children;
  /// True if the entry has addresses of code.
  bool has_code;
} ms_abbreviation;

/// The sizes of addresses and offsets in a unit, in bytes.
typedef struct {
  uint8_t address, offset;
  uint16_t version;
} ms_widths;

/// The abbreviations at an offset of `.debug_abbrev`.
typedef struct {
  ms_abbreviation *entries;
  ms_attribute *attributes;
  size_t count, room, attribute_count, attribute_room;
  /// True if each code is a position in the table, counted from 1, as compilers write codes.
  bool is_dense;
  bool is_read;
  const uint8_t *at;
  ms_widths widths;
} ms_abbreviations;

/// Reads the abbreviations at `bytes`, unless the table already contains them.
void ms_abbreviations_read(ms_abbreviations *table, ms_bytes bytes, ms_widths widths,
                           ms_builder *builder);

/// The abbreviation of a code; NULL if the code is unknown. O(1), or O(log n) for unusual codes.
const ms_abbreviation *ms_abbreviation_of(const ms_abbreviations *table, uint64_t code);

void ms_abbreviations_free(ms_abbreviations *table);

/// The size of a form's values in bytes; -1 if the size varies, -2 for an unknown form.
int32_t ms_form_size(uint16_t form, ms_widths widths);

#endif

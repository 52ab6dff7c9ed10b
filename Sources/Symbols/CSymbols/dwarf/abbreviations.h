// The abbreviations that a unit's entries are written in.
#ifndef MS_ABBREVIATIONS_H
#define MS_ABBREVIATIONS_H

#include "sections.h"
#include "tables.h"

/// One attribute of an abbreviation.
typedef struct {
  uint16_t name, form;
  /// As of `ms_form_size`.
  int32_t size;
  /// The value, of `DW_FORM_implicit_const`.
  int64_t constant;
} ms_attribute;

/// An abbreviation: the tag and the attributes of all entries with the same code.
typedef struct {
  uint64_t code;
  /// The index of its first attribute in the table of all.
  uint32_t first, count;
  /// How many bytes its attributes take, if that is the same in all entries: else -1.
  int32_t size;
  uint16_t tag;
  bool has_children;
  /// Whether the entry names addresses.
  bool has_code;
} ms_abbreviation;

/// How wide addresses and offsets are in a unit.
typedef struct {
  uint8_t address, offset;
  uint16_t version;
} ms_widths;

/// The abbreviations at an offset.
typedef struct {
  ms_abbreviation *entries;
  ms_attribute *attributes;
  size_t count, room, attribute_count, attribute_room;
  /// Whether the code is the place in the table, counted from 1: so compilers write them.
  bool is_dense;
  bool is_read;
  const uint8_t *at;
  ms_widths widths;
} ms_abbreviations;

/// Reads the abbreviations at a place; those that were read last are taken as they are.
void ms_abbreviations_read(ms_abbreviations *table, ms_bytes bytes, ms_widths widths,
                           ms_builder *builder);

/// The abbreviation of a code; NULL if none exists. O(1), or O(log n) for unusual codes.
const ms_abbreviation *ms_abbreviation_of(const ms_abbreviations *table, uint64_t code);

void ms_abbreviations_free(ms_abbreviations *table);

/// How many bytes a form's values take: -1 where that differs, -2 for a form that is not known.
int32_t ms_form_size(uint16_t form, ms_widths widths);

#endif

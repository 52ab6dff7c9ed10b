#include "abbreviations.h"

#include <dwarf.h>
#include <stdlib.h>

int32_t ms_form_size(uint16_t form, ms_widths widths) {
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const: return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1: return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2: return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3: return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4: return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8: return 8;
    case DW_FORM_data16: return 16;
    case DW_FORM_addr: return widths.address;
    case DW_FORM_ref_addr: return widths.version == 2 ? widths.address : widths.offset;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt: return widths.offset;
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_exprloc:
    case DW_FORM_string:
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_indirect:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index: return -1;
    default: return -2;
  }
}

/// Reads the attributes of an abbreviation up to the terminating pair of zeros.
static void read_attributes(ms_abbreviations *table, ms_abbreviation *entry, ms_bytes *bytes,
                            ms_builder *builder) {
  int64_t size = 0;
  while (!bytes->failed) {
    uint64_t name = ms_uleb(bytes), form = ms_uleb(bytes);
    if (name == 0 && form == 0) break;
    ms_attribute attribute = {.name = name <= UINT16_MAX ? (uint16_t)name : 0,
                              .form = form <= UINT16_MAX ? (uint16_t)form : 0};
    attribute.size = ms_form_size(attribute.form, table->widths);
    if (form == DW_FORM_implicit_const) attribute.constant = ms_sleb(bytes);
    if (!ms_grow(builder, (void **)&table->attributes, &table->attribute_room,
                 table->attribute_count, sizeof *table->attributes))
      return;
    table->attributes[table->attribute_count++] = attribute;
    entry->count++;
    if (name == DW_AT_low_pc || name == DW_AT_ranges) entry->has_code = true;
    size = size < 0 || attribute.size < 0 ? -1 : size + attribute.size;
  }
  entry->size = size > INT32_MAX ? -1 : (int32_t)size;
}

static int by_code(const void *left, const void *right) {
  const ms_abbreviation *a = left, *b = right;
  if (a->code != b->code) return a->code < b->code ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

void ms_abbreviations_read(ms_abbreviations *table, ms_bytes bytes, ms_widths widths,
                           ms_builder *builder) {
  if (table->is_read && table->at == bytes.at && table->widths.address == widths.address &&
      table->widths.offset == widths.offset && table->widths.version == widths.version)
    return;
  table->at = bytes.at;
  table->widths = widths;
  table->count = table->attribute_count = 0;
  table->is_dense = table->is_read = true;
  const uint8_t *start = bytes.at;
  while (!bytes.failed && !builder->failed) {
    ms_abbreviation entry = {.code = ms_uleb(&bytes)};
    if (entry.code == 0 || bytes.failed) break;
    uint64_t tag = ms_uleb(&bytes);
    entry.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
    entry.has_children = ms_u8(&bytes) != 0;
    entry.first = (uint32_t)table->attribute_count;
    read_attributes(table, &entry, &bytes, builder);
    if (!ms_grow(builder, (void **)&table->entries, &table->room, table->count,
                 sizeof *table->entries))
      break;
    table->entries[table->count++] = entry;
    if (entry.code != table->count) table->is_dense = false;
  }
  ms_spend(builder, (size_t)(bytes.at - start));
  if (!table->is_dense) qsort(table->entries, table->count, sizeof *table->entries, by_code);
}

const ms_abbreviation *ms_abbreviation_of(const ms_abbreviations *table, uint64_t code) {
  if (table->is_dense) return code - 1 < table->count ? &table->entries[code - 1] : NULL;
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->entries[middle].code < code) low = middle + 1;
    else high = middle;
  }
  return low < table->count && table->entries[low].code == code ? &table->entries[low] : NULL;
}

void ms_abbreviations_free(ms_abbreviations *table) {
  free(table->entries);
  free(table->attributes);
  *table = (ms_abbreviations){0};
}

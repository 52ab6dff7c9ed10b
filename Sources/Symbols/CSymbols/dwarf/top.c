// Reads the first entry of a unit.

#include <dwarf.h>

#include "debug_info.h"

/// The relevant attributes of a unit's first entry.
typedef struct {
  ms_extent extent;
  ms_value home, lines, split_name, split_id;
  ms_value address_base, string_base, lists_base, ranges_base;
} top_values;

static void collect(top_values *values, uint16_t name, const ms_value *value) {
  switch (name) {
    case DW_AT_comp_dir: values->home = *value; break;
    case DW_AT_stmt_list: values->lines = *value; break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name: values->split_name = *value; break;
    case DW_AT_GNU_dwo_id: values->split_id = *value; break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base: values->address_base = *value; break;
    case DW_AT_str_offsets_base: values->string_base = *value; break;
    case DW_AT_rnglists_base: values->lists_base = *value; break;
    case DW_AT_GNU_ranges_base: values->ranges_base = *value; break;
    default: ms_extent_collect(&values->extent, name, value);
  }
}

/// The base of a table. Without an attribute, the base is the offset after the table's header, or 0 before DWARF 5.
static uint64_t base_of(const ms_debug_unit *unit, const ms_value *value, uint64_t header) {
  if (ms_has(value)) return ms_value_number(value);
  if (unit->widths.version < 5) return 0;
  // The header contains a length of 4 or 12 bytes.
  return unit->widths.offset == 8 ? header + 8 : header;
}

bool ms_read_top(ms_builder *builder, ms_abbreviations *table, ms_debug_unit *unit,
                 ms_unit_top *top) {
  ms_abbreviations_read(table, ms_unit_abbreviations(unit), unit->widths, builder);
  ms_bytes bytes = {unit->entries, unit->end, false};
  const ms_abbreviation *abbreviation = ms_abbreviation_of(table, ms_uleb(&bytes));
  if (!abbreviation || bytes.failed) return false;
  top_values values = {0};
  const ms_attribute *attributes = table->attributes + abbreviation->first;
  for (uint32_t i = 0; i < abbreviation->count; i++) {
    ms_value value;
    ms_value_read(&bytes, &attributes[i], table->widths, &value);
    collect(&values, attributes[i].name, &value);
  }
  // A split unit uses the skeleton's bases.
  if (unit->program == unit->sections) {
    unit->address_base = base_of(unit, &values.address_base, 8);
    unit->low = 0;
    if (ms_has(&values.extent.low)) ms_value_address(unit, &values.extent.low, &unit->low);
  }
  unit->string_base = base_of(unit, &values.string_base, 8);
  unit->lists_base = base_of(unit, &values.lists_base, 12);
  if (ms_has(&values.split_id)) unit->split_id = ms_value_number(&values.split_id);
  *top = (ms_unit_top){
      .tag = abbreviation->tag,
      .has_children = abbreviation->has_children,
      .extent = values.extent,
      .has_lines = ms_has(&values.lines),
      .lines = ms_value_number(&values.lines),
      .home = ms_value_string(unit, &values.home),
      .split_name = ms_value_string(unit, &values.split_name),
      .split_ranges_base = ms_value_number(&values.ranges_base),
  };
  return !bytes.failed;
}

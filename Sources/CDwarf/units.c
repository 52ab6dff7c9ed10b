#include <dwarf.h>
#include <stdlib.h>

#include "debug_info.h"

// MARK: The first entry

/// The attributes of a unit's first entry that are looked at.
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

/// A base, which is behind its table's header where the entry does not say.
static uint64_t base_of(const ms_debug_unit *unit, const ms_value *value, uint64_t header) {
  if (ms_has(value)) return ms_value_number(value);
  if (unit->widths.version < 5) return 0;
  // The length takes 4 or 12 bytes of it.
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
  // The other half of a skeleton counts from what the skeleton says.
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

// MARK: Units

/// Appends the addresses that a unit claims; false when it claims none.
static bool read_unit_ranges(ms_builder *builder, const ms_debug_unit *unit,
                             const ms_unit_top *top) {
  size_t before = builder->tables->range_count;
  ms_ranges ranges = ms_extent_ranges(unit, &top->extent);
  uint64_t low, high;
  while (ms_next_range(&ranges, &low, &high) && !builder->failed) {
    ms_spend(builder, 1);
    if (low < high && ms_is_text(builder, low))
      MS_APPEND(builder, ranges, range_count, range_room,
                (ms_unit_range){ms_start(builder, low), ms_start(builder, high)});
  }
  return builder->tables->range_count > before;
}

static void read_unit(ms_reader *reader, ms_debug_unit *unit, int fd) {
  ms_builder *builder = reader->builder;
  ms_unit_top top;
  bool may_have_code = unit->type == DW_UT_compile || unit->type == DW_UT_skeleton;
  if (!may_have_code || !ms_read_top(builder, &reader->abbreviations, unit, &top)) return;
  if (top.tag != DW_TAG_compile_unit && top.tag != DW_TAG_skeleton_unit) return;
  // The skeletons that refer to imported modules have no code: their other halves stay closed.
  if (!read_unit_ranges(builder, unit, &top)) return;
  if (top.has_lines) ms_lines_read(&reader->lines, unit, top.lines, top.home);
  else ms_lines_none(&reader->lines);
  reader->unit = unit;
  bool is_skeleton = top.split_name && !top.has_children;
  if (!is_skeleton || !ms_read_split(reader, unit, &top, fd)) ms_read_scopes(reader);
  ms_unit entry = {
      .rows_begin = reader->lines.rows_begin,
      .rows_end = reader->lines.rows_end,
      .ranges_end = builder->tables->range_count,
      .scope_ranges_end = builder->tables->scope_range_count,
  };
  MS_APPEND(builder, units, unit_count, unit_room, entry);
}

/// Lists the units, so that those of references across them are found.
static void list_units(ms_reader *reader, const ms_sections *sections) {
  ms_debug_unit unit;
  for (uint64_t at = 0, next; ms_unit_read_header(sections, at, &unit, &next); at = next) {
    bool is_type = unit.type == DW_UT_type || unit.type == DW_UT_split_type;
    if (is_type || unit.entries == unit.end) continue;
    if (!ms_grow(reader->builder, (void **)&reader->units, &reader->unit_room, reader->unit_count,
                 sizeof unit))
      return;
    reader->units[reader->unit_count++] = unit;
  }
}

void ms_read_units(ms_builder *builder, const ms_sections *sections, int fd) {
  ms_reader reader = {.builder = builder, .lines = {.builder = builder}};
  ms_lines_none(&reader.lines);
  ms_scopes_begin(builder);
  list_units(&reader, sections);
  for (size_t i = 0; i < reader.unit_count && !builder->failed; i++)
    read_unit(&reader, &reader.units[i], fd);
  ms_lines_free(&reader.lines);
  ms_abbreviations_free(&reader.abbreviations);
  ms_abbreviations_free(&reader.referred);
  ms_forget_names(&reader.names);
  free(reader.units);
}

#include <dwarf.h>
#include <stdlib.h>

#include "debug_info.h"

/// Appends the address ranges that a unit claims; returns false if the unit claims no range.
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
  // The skeletons of imported modules have no code, and their split files are not opened.
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

/// Lists the units, so that references across units can be resolved.
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

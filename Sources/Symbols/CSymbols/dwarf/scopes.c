#include <dwarf.h>
#include <stdlib.h>

#include "debug_info.h"
#include "symbols.h"

// The parent of scopes that are inlined into functions named by symbols.
static const uint32_t named_by_symbol = 0;

/// Appends the address ranges of a scope; returns whether symbols cover all of these ranges.
static bool append_ranges(ms_reader *reader, const ms_extent *extent, uint32_t scope) {
  ms_builder *builder = reader->builder;
  bool is_covered = true;
  ms_ranges ranges = ms_extent_ranges(reader->unit, extent);
  uint64_t low, high;
  while (ms_next_range(&ranges, &low, &high) && !builder->failed) {
    ms_spend(builder, 1);
    if (low >= high || !ms_is_text(builder, low)) continue;
    ms_scope_range range = {ms_start(builder, low), ms_start(builder, high), scope};
    MS_APPEND(builder, scope_ranges, scope_range_count, scope_range_room, range);
    is_covered = is_covered && ms_symbol_covers(builder, range.low, range.high);
  }
  return is_covered;
}

/// The value as a 32-bit number; 0 if the value does not fit.
static uint32_t number_of(const ms_value *value) {
  uint64_t number = ms_value_number(value);
  return number < MS_NONE ? (uint32_t)number : 0;
}

/// Appends the scope of a function's entry, and returns the parent scope for its children.
static uint32_t append_scope(ms_reader *reader, ms_bytes *bytes,
                             const ms_abbreviation *abbreviation, uint32_t parent) {
  ms_builder *builder = reader->builder;
  ms_function_facts facts = {0};
  ms_read_function(bytes, &reader->abbreviations, abbreviation, &facts);
  if (bytes->failed) return MS_NONE;
  bool is_inlined = abbreviation->tag == DW_TAG_inlined_subroutine;
  ms_scope scope = {.name = MS_NONE, .parent = MS_NONE, .call_file = MS_NONE};
  if (is_inlined) {
    scope.parent = parent;
    if (ms_has(&facts.call_file))
      scope.call_file = ms_line_file_text(&reader->lines, ms_value_number(&facts.call_file));
    scope.call_line = number_of(&facts.call_line);
    scope.call_column = number_of(&facts.call_column);
  }
  ms_tables *tables = builder->tables;
  uint32_t index = (uint32_t)tables->scope_count;
  size_t first_range = tables->scope_range_count;
  bool is_covered = append_ranges(reader, &facts.extent, index);
  if (is_covered && !is_inlined) {
    for (size_t i = first_range; i < tables->scope_range_count; i++)
      tables->scope_ranges[i].scope = MS_NONE;
    return named_by_symbol;
  }
  ms_names names = ms_names_of(reader, reader->unit, &facts, 0);
  scope.name = ms_intern(builder, names.linkage ? names.linkage : names.plain);
  return MS_APPEND(builder, scopes, scope_count, scope_room, scope) ? index : MS_NONE;
}

static void skip_attributes(ms_bytes *bytes, const ms_abbreviations *table,
                            const ms_abbreviation *abbreviation) {
  if (abbreviation->size >= 0) {
    ms_take(bytes, (uint64_t)abbreviation->size);
    return;
  }
  const ms_attribute *attributes = table->attributes + abbreviation->first;
  for (uint32_t i = 0; i < abbreviation->count; i++)
    ms_value_skip(bytes, &attributes[i], table->widths);
}

/// The scopes that enclose the current entry, one for each level of nesting.
typedef struct {
  uint32_t *scopes;
  size_t depth, room;
} enclosing;

/// Reads the current entry and advances to the next entry of the file; returns false after the last one.
static bool step(ms_reader *reader, ms_bytes *bytes, enclosing *stack) {
  uint64_t code = ms_uleb(bytes);
  if (code == 0) return stack->depth > 0 && --stack->depth > 0;
  const ms_abbreviation *abbreviation = ms_abbreviation_of(&reader->abbreviations, code);
  if (!abbreviation) return false;
  uint32_t scope = stack->depth > 0 ? stack->scopes[stack->depth - 1] : MS_NONE;
  if (abbreviation->tag == DW_TAG_inlined_subroutine ||
      (abbreviation->tag == DW_TAG_subprogram && abbreviation->has_code)) {
    scope = append_scope(reader, bytes, abbreviation, scope);
  } else {
    if (abbreviation->tag == DW_TAG_subprogram) scope = MS_NONE;
    skip_attributes(bytes, &reader->abbreviations, abbreviation);
  }
  if (!abbreviation->has_children) return stack->depth > 0;
  if (!ms_grow(reader->builder, (void **)&stack->scopes, &stack->room, stack->depth,
               sizeof *stack->scopes))
    return false;
  stack->scopes[stack->depth++] = scope;
  return true;
}

void ms_scopes_begin(ms_builder *builder) {
  ms_scope scope = {.name = MS_NONE, .parent = MS_NONE, .call_file = MS_NONE};
  MS_APPEND(builder, scopes, scope_count, scope_room, scope);
}

void ms_read_scopes(ms_reader *reader) {
  // Linear in the size of the file, whatever the nesting: the children of an entry follow the entry, and a zero
  // terminates them.
  enclosing stack = {0};
  ms_bytes bytes = {reader->unit->entries, reader->unit->end, false};
  ms_spend(reader->builder, ms_left(&bytes));
  while (bytes.at < bytes.end && !reader->builder->failed)
    if (!step(reader, &bytes, &stack)) break;
  free(stack.scopes);
}

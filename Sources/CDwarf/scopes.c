#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debug_info.h"

// Chains of abstract origins and specifications are two or three long; a mangled file has loops.
enum { longest_chain = 8 };

// MARK: Names

static size_t slot_of(const ms_name_cache *cache, const void *entry) {
  size_t at = ((uintptr_t)entry * 0x9e3779b97f4a7c15) >> 20 & (cache->slot_count - 1);
  while (cache->slots[at].entry && cache->slots[at].entry != entry)
    at = (at + 1) & (cache->slot_count - 1);
  return at;
}

static bool cache_grow(ms_name_cache *cache) {
  ms_name_cache grown = {.slot_count = cache->slot_count ? cache->slot_count * 2 : 1024};
  grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
  if (!grown.slots) return false;
  grown.used = cache->used;
  for (size_t i = 0; i < cache->slot_count; i++)
    if (cache->slots[i].entry)
      grown.slots[slot_of(&grown, cache->slots[i].entry)] = cache->slots[i];
  free(cache->slots);
  *cache = grown;
  return true;
}

static void cache_names(ms_name_cache *cache, const void *entry, ms_names names) {
  if (cache->used * 2 >= cache->slot_count && !cache_grow(cache)) return;
  size_t at = slot_of(cache, entry);
  if (!cache->slots[at].entry) cache->used++;
  cache->slots[at].entry = entry;
  cache->slots[at].names = names;
}

/// What a function's entry says of itself.
typedef struct {
  Dwarf_Attribute linkage, plain, origin, specification;
  Dwarf_Attribute low, high, ranges, call_file, call_line, call_column;
} entry_facts;

static int collect(Dwarf_Attribute *attribute, void *context) {
  entry_facts *facts = context;
  switch (attribute->code) {
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: facts->linkage = *attribute; break;
    case DW_AT_name: facts->plain = *attribute; break;
    case DW_AT_abstract_origin: facts->origin = *attribute; break;
    case DW_AT_specification: facts->specification = *attribute; break;
    case DW_AT_low_pc: facts->low = *attribute; break;
    case DW_AT_high_pc: facts->high = *attribute; break;
    case DW_AT_ranges: facts->ranges = *attribute; break;
    case DW_AT_call_file: facts->call_file = *attribute; break;
    case DW_AT_call_line: facts->call_line = *attribute; break;
    case DW_AT_call_column: facts->call_column = *attribute; break;
    default: break;
  }
  return DWARF_CB_OK;
}

static bool has(const Dwarf_Attribute *attribute) { return attribute->valp != NULL; }

static uint32_t string_value(ms_unit_reader *reader, Dwarf_Attribute *attribute) {
  return has(attribute) ? ms_intern(reader->builder, dwarf_formstring(attribute)) : MS_NONE;
}

static uint32_t number_value(Dwarf_Attribute *attribute) {
  Dwarf_Word value = 0;
  if (!has(attribute) || dwarf_formudata(attribute, &value) != 0) return 0;
  return value < MS_NONE ? (uint32_t)value : 0;
}

static ms_names names_of(ms_unit_reader *reader, entry_facts *facts, int depth);

static ms_names names_of_referred(ms_unit_reader *reader, Dwarf_Attribute *reference, int depth) {
  ms_names names = {MS_NONE, MS_NONE};
  Dwarf_Die entry;
  if (!has(reference) || depth == longest_chain || !dwarf_formref_die(reference, &entry))
    return names;
  ms_name_cache *cache = reader->names;
  if (cache->slot_count) {
    size_t at = slot_of(cache, entry.addr);
    if (cache->slots[at].entry) return cache->slots[at].names;
  }
  entry_facts facts = {0};
  if (dwarf_getattrs(&entry, collect, &facts, 0) == -1) return names;
  names = names_of(reader, &facts, depth + 1);
  cache_names(cache, entry.addr, names);
  return names;
}

/// An entry's own names first, then those of what it refers to.
static ms_names names_of(ms_unit_reader *reader, entry_facts *facts, int depth) {
  ms_names names = {string_value(reader, &facts->linkage), string_value(reader, &facts->plain)};
  Dwarf_Attribute *references[] = {&facts->origin, &facts->specification};
  for (int i = 0; i < 2; i++) {
    if (names.linkage != MS_NONE && names.plain != MS_NONE) break;
    ms_names referred = names_of_referred(reader, references[i], depth);
    if (names.linkage == MS_NONE) names.linkage = referred.linkage;
    if (names.plain == MS_NONE) names.plain = referred.plain;
  }
  return names;
}

// MARK: Scopes

static void append_range(ms_builder *builder, uint64_t low, uint64_t high, uint32_t scope) {
  if (low < high && ms_is_text(builder, low))
    MS_APPEND(builder, scope_ranges, scope_range_count, scope_range_room,
              (ms_scope_range){low, high, scope});
}

static void append_ranges(ms_builder *builder, Dwarf_Die *entry, entry_facts *facts,
                          uint32_t scope) {
  Dwarf_Addr low, high;
  if (has(&facts->low) && has(&facts->high)) {
    if (dwarf_formaddr(&facts->low, &low) != 0) return;
    if (dwarf_formaddr(&facts->high, &high) != 0) {
      Dwarf_Word length;
      if (dwarf_formudata(&facts->high, &length) != 0) return;
      high = low + length;
    }
    append_range(builder, low, high, scope);
  } else if (has(&facts->ranges)) {
    Dwarf_Addr base;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(entry, offset, &base, &low, &high)) > 0 && !builder->failed)
      append_range(builder, low, high, scope);
  }
}

/// Appends the scope of a function's entry; returns what its children's parent scope is.
static uint32_t append_scope(ms_unit_reader *reader, Dwarf_Die *entry, int tag, uint32_t parent) {
  ms_builder *builder = reader->builder;
  entry_facts facts = {0};
  if (dwarf_getattrs(entry, collect, &facts, 0) == -1) return MS_NONE;
  if (tag == DW_TAG_subprogram && !has(&facts.low) && !has(&facts.ranges)) return MS_NONE;
  ms_names names = names_of(reader, &facts, 0);
  ms_scope scope = {
      .name = names.linkage != MS_NONE ? names.linkage : names.plain,
      .parent = tag == DW_TAG_subprogram ? MS_NONE : parent,
      .call_file = MS_NONE,
  };
  if (tag == DW_TAG_inlined_subroutine) {
    if (has(&facts.call_file))
      scope.call_file = ms_unit_file(reader, number_value(&facts.call_file));
    scope.call_line = number_value(&facts.call_line);
    scope.call_column = number_value(&facts.call_column);
  }
  uint32_t index = (uint32_t)builder->tables->scope_count;
  if (!MS_APPEND(builder, scopes, scope_count, scope_room, scope)) return MS_NONE;
  append_ranges(builder, entry, &facts, index);
  return index;
}

// MARK: The walk

/// The scopes that enclose the entry at hand, one for each level of nesting.
typedef struct {
  uint32_t *scopes;
  size_t depth, room;
} enclosing;

static bool descend(ms_builder *builder, enclosing *stack, uint32_t scope) {
  if (!ms_grow(builder, (void **)&stack->scopes, &stack->room, stack->depth + 1,
               sizeof *stack->scopes))
    return false;
  stack->scopes[++stack->depth] = scope;
  return true;
}

/// Steps to the entry that follows in the file; false at the unit's end.
///
/// The walk is linear in the file whatever the nesting: at the end of a list of siblings libdw
/// leaves the address of the list's terminator in the result; the parent's next sibling follows it.
static bool step_over(Dwarf_Die *entry, enclosing *stack, const unsigned char *end) {
  Dwarf_Die next = {0};
  int found = dwarf_siblingof(entry, &next);
  if (found == 0) {
    *entry = next;
    return true;
  }
  const unsigned char *at = next.addr;
  if (found < 0 || !at) return false;
  while (at < end && *at == 0 && stack->depth > 0) {
    at++;
    stack->depth--;
  }
  if (at >= end || stack->depth == 0) return false;
  *entry = (Dwarf_Die){.addr = (void *)at, .cu = entry->cu};
  return true;
}

void ms_read_scopes(ms_unit_reader *reader, Dwarf_Die *unit, const unsigned char *end) {
  Dwarf_Die entry;
  if (dwarf_child(unit, &entry) != 0) return;
  enclosing stack = {0};
  if (!descend(reader->builder, &stack, MS_NONE)) return;
  for (bool more = true; more && !reader->builder->failed;) {
    int tag = dwarf_tag(&entry);
    if (tag == DW_TAG_invalid) break;
    uint32_t scope = stack.scopes[stack.depth];
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
      scope = append_scope(reader, &entry, tag, scope);
    Dwarf_Die child;
    if (dwarf_haschildren(&entry) == 1 && dwarf_child(&entry, &child) == 0) {
      more = descend(reader->builder, &stack, scope);
      entry = child;
    } else {
      more = step_over(&entry, &stack, end);
    }
  }
  free(stack.scopes);
}

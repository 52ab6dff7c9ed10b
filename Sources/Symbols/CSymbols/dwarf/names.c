#include <dwarf.h>
#include <stdlib.h>

#include "debug_info.h"

// Chains of abstract origins and specifications have two or three links; a corrupt file may have loops.
enum { longest_chain = 8 };

// MARK: Cache

static size_t slot_of(const ms_name_cache *cache, const uint8_t *entry) {
  size_t at = ((uintptr_t)entry * 0x9e3779b97f4a7c15) >> 20 & (cache->slot_count - 1);
  while (cache->slots[at].entry && cache->slots[at].entry != entry)
    at = (at + 1) & (cache->slot_count - 1);
  return at;
}

static bool cache_grow(ms_name_cache *cache, size_t most_bytes) {
  ms_name_cache grown = {.slot_count = cache->slot_count ? cache->slot_count * 2 : 1024};
  if (grown.slot_count > most_bytes / sizeof *grown.slots) return false;
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

/// Caches the names of an entry, as long as the cache has space.
static void keep(ms_reader *reader, const uint8_t *entry, ms_names names) {
  ms_name_cache *cache = &reader->names;
  if (cache->used * 2 >= cache->slot_count && !cache_grow(cache, reader->builder->largest_table))
    return;
  size_t at = slot_of(cache, entry);
  if (!cache->slots[at].entry) cache->used++;
  cache->slots[at] = (struct ms_name_slot){entry, names};
}

void ms_forget_names(ms_name_cache *names) {
  free(names->slots);
  *names = (ms_name_cache){0};
}

// MARK: Entries

void ms_read_function(ms_bytes *bytes, const ms_abbreviations *table,
                      const ms_abbreviation *abbreviation, ms_function_facts *facts) {
  const ms_attribute *attributes = table->attributes + abbreviation->first;
  for (uint32_t i = 0; i < abbreviation->count; i++) {
    ms_value *value = NULL;
    switch (attributes[i].name) {
      case DW_AT_linkage_name:
      case DW_AT_MIPS_linkage_name: value = &facts->linkage; break;
      case DW_AT_name: value = &facts->plain; break;
      case DW_AT_abstract_origin: value = &facts->origin; break;
      case DW_AT_specification: value = &facts->specification; break;
      case DW_AT_low_pc: value = &facts->extent.low; break;
      case DW_AT_high_pc: value = &facts->extent.high; break;
      case DW_AT_ranges: value = &facts->extent.ranges; break;
      case DW_AT_call_file: value = &facts->call_file; break;
      case DW_AT_call_line: value = &facts->call_line; break;
      case DW_AT_call_column: value = &facts->call_column; break;
      default: break;
    }
    if (value) ms_value_read(bytes, &attributes[i], table->widths, value);
    else ms_value_skip(bytes, &attributes[i], table->widths);
  }
}

/// The unit that contains an entry; NULL if the entry is not in this file.
static ms_debug_unit *unit_around(ms_reader *reader, const uint8_t *entry) {
  size_t low = 0, high = reader->unit_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (reader->units[middle].end <= entry) low = middle + 1;
    else high = middle;
  }
  if (low == reader->unit_count || entry < reader->units[low].entries) return NULL;
  return &reader->units[low];
}

/// The names of a referenced entry.
static ms_names names_at(ms_reader *reader, const ms_debug_unit *unit, const uint8_t *entry,
                         int depth) {
  ms_names none = {NULL, NULL};
  const ms_abbreviations *table = &reader->abbreviations;
  if (entry < reader->unit->entries || entry >= reader->unit->end) {
    ms_debug_unit *other = unit_around(reader, entry);
    ms_unit_top top;
    if (!other || !ms_read_top(reader->builder, &reader->referred, other, &top)) return none;
    table = &reader->referred;
    unit = other;
  }
  ms_bytes bytes = {entry, unit->end, false};
  const ms_abbreviation *abbreviation = ms_abbreviation_of(table, ms_uleb(&bytes));
  if (!abbreviation) return none;
  ms_function_facts facts = {0};
  ms_read_function(&bytes, table, abbreviation, &facts);
  return ms_names_of(reader, unit, &facts, depth);
}

static ms_names names_referred(ms_reader *reader, const ms_debug_unit *unit,
                               const ms_value *reference, int depth) {
  ms_names names = {NULL, NULL};
  const uint8_t *entry = ms_value_entry(unit, reference);
  if (!entry || depth == longest_chain) return names;
  ms_name_cache *cache = &reader->names;
  if (cache->slot_count) {
    size_t at = slot_of(cache, entry);
    if (cache->slots[at].entry) return cache->slots[at].names;
  }
  names = names_at(reader, unit, entry, depth + 1);
  keep(reader, entry, names);
  return names;
}

ms_names ms_names_of(ms_reader *reader, const ms_debug_unit *unit, const ms_function_facts *facts,
                     int depth) {
  ms_names names = {ms_value_string(unit, &facts->linkage), ms_value_string(unit, &facts->plain)};
  const ms_value *references[] = {&facts->origin, &facts->specification};
  for (int i = 0; i < 2 && !names.linkage; i++) {
    ms_names referred = names_referred(reader, unit, references[i], depth);
    names.linkage = referred.linkage;
    if (!names.plain) names.plain = referred.plain;
  }
  return names;
}

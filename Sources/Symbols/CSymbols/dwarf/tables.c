#include "tables.h"

#include <stdlib.h>
#include <string.h>

bool ms_make_room(ms_builder *builder, void **array, size_t *room, size_t element) {
  size_t next = *room ? *room * 2 : 256;
  if (builder->failed || next * element > builder->largest_table) {
    builder->failed = true;
    return false;
  }
  void *grown = realloc(*array, next * element);
  if (!grown) {
    builder->failed = true;
    return false;
  }
  *array = grown;
  *room = next;
  return true;
}

static uint32_t hash(const char *string, size_t length) {
  uint64_t value = 0x9e3779b97f4a7c15 ^ length;
  while (length >= 8) {
    uint64_t word;
    memcpy(&word, string, 8);
    value = (value ^ word) * 0xff51afd7ed558ccd;
    value ^= value >> 32;
    string += 8;
    length -= 8;
  }
  uint64_t rest = 0;
  memcpy(&rest, string, length);
  value = (value ^ rest) * 0xff51afd7ed558ccd;
  return (uint32_t)(value >> 32);
}

static bool map_grow(ms_builder *builder) {
  ms_string_map *map = &builder->map;
  ms_string_map grown = {.slot_count = map->slot_count ? map->slot_count * 2 : 4096,
                         .used = map->used};
  grown.slots = malloc(grown.slot_count * sizeof *grown.slots);
  if (!grown.slots) return false;
  memset(grown.slots, 0xff, grown.slot_count * sizeof *grown.slots);
  for (size_t i = 0; i < map->slot_count; i++) {
    if (map->slots[i].text == MS_NONE) continue;
    size_t at = map->slots[i].hash & (grown.slot_count - 1);
    while (grown.slots[at].text != MS_NONE) at = (at + 1) & (grown.slot_count - 1);
    grown.slots[at] = map->slots[i];
  }
  free(map->slots);
  *map = grown;
  return true;
}

static bool pool_reserve(ms_builder *builder, size_t bytes) {
  ms_tables *tables = builder->tables;
  size_t needed = tables->string_bytes + bytes;
  if (needed <= builder->string_room) return true;
  size_t room = builder->string_room ? builder->string_room : 65536;
  while (room < needed) room *= 2;
  if (room > builder->largest_table) return false;
  char *grown = realloc(tables->strings, room);
  if (!grown) return false;
  tables->strings = grown;
  builder->string_room = room;
  return true;
}

/// Appends a text to the pool.
static uint32_t append_text(ms_builder *builder, const char *string, size_t length) {
  ms_tables *tables = builder->tables;
  uint32_t text = (uint32_t)tables->text_count;
  if (!pool_reserve(builder, length + 1)) {
    builder->failed = true;
    return MS_NONE;
  }
  if (!MS_APPEND(builder, text_starts, text_count, text_room, (uint32_t)tables->string_bytes))
    return MS_NONE;
  memcpy(tables->strings + tables->string_bytes, string, length + 1);
  tables->string_bytes += length + 1;
  return text;
}

uint32_t ms_add_text(ms_builder *builder, const char *string) {
  if (!string || !*string || builder->failed) return MS_NONE;
  return append_text(builder, string, strlen(string));
}

uint32_t ms_intern(ms_builder *builder, const char *string) {
  if (!string || !*string || builder->failed) return MS_NONE;
  ms_tables *tables = builder->tables;
  ms_string_map *map = &builder->map;
  if (map->used * 2 >= map->slot_count && !map_grow(builder)) {
    builder->failed = true;
    return MS_NONE;
  }
  size_t length = strlen(string);
  uint32_t hashed = hash(string, length);
  size_t at = hashed & (map->slot_count - 1);
  for (; map->slots[at].text != MS_NONE; at = (at + 1) & (map->slot_count - 1)) {
    uint32_t text = map->slots[at].text;
    if (map->slots[at].hash == hashed &&
        strcmp(tables->strings + tables->text_starts[text], string) == 0)
      return text;
  }
  uint32_t text = append_text(builder, string, length);
  if (text == MS_NONE) return text;
  map->slots[at] = (struct ms_string_slot){hashed, text};
  map->used++;
  return text;
}

void ms_tables_free(ms_tables *tables) {
  free(tables->units);
  free(tables->ranges);
  free(tables->rows);
  free(tables->scopes);
  free(tables->scope_ranges);
  free(tables->symbol_starts);
  free(tables->symbols);
  free(tables->strings);
  free(tables->text_starts);
  memset(tables, 0, sizeof *tables);
}

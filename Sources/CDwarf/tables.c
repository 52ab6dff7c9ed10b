#include "tables.h"

#include <stdlib.h>
#include <string.h>

bool ms_grow(ms_builder *builder, void **array, size_t *room, size_t count, size_t element) {
  if (count < *room) return true;
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

static uint64_t hash(const char *string, size_t length) {
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
  return value ^ value >> 29;
}

static bool map_grow(ms_builder *builder) {
  ms_string_map *map = &builder->map;
  size_t count = map->slot_count ? map->slot_count * 2 : 4096;
  uint32_t *slots = malloc(count * sizeof *slots);
  if (!slots) return false;
  memset(slots, 0xff, count * sizeof *slots);
  const ms_tables *tables = builder->tables;
  for (uint32_t text = 0; text < tables->text_count; text++) {
    const char *string = tables->strings + tables->text_starts[text];
    size_t at = hash(string, strlen(string)) & (count - 1);
    while (slots[at] != MS_NONE) at = (at + 1) & (count - 1);
    slots[at] = text;
  }
  free(map->slots);
  map->slots = slots;
  map->slot_count = count;
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

uint32_t ms_intern(ms_builder *builder, const char *string) {
  if (!string || !*string || builder->failed) return MS_NONE;
  ms_tables *tables = builder->tables;
  ms_string_map *map = &builder->map;
  size_t length = strlen(string);
  if ((tables->text_count * 2 >= map->slot_count && !map_grow(builder)) ||
      !pool_reserve(builder, length + 1)) {
    builder->failed = true;
    return MS_NONE;
  }
  size_t at = hash(string, length) & (map->slot_count - 1);
  for (; map->slots[at] != MS_NONE; at = (at + 1) & (map->slot_count - 1))
    if (strcmp(tables->strings + tables->text_starts[map->slots[at]], string) == 0)
      return map->slots[at];
  if (!MS_APPEND(builder, text_starts, text_count, text_room, (uint32_t)tables->string_bytes))
    return MS_NONE;
  memcpy(tables->strings + tables->string_bytes, string, length + 1);
  tables->string_bytes += length + 1;
  map->slots[at] = (uint32_t)tables->text_count - 1;
  return map->slots[at];
}

void ms_tables_free(ms_tables *tables) {
  free(tables->units);
  free(tables->ranges);
  free(tables->rows);
  free(tables->scopes);
  free(tables->scope_ranges);
  free(tables->symbols);
  free(tables->strings);
  free(tables->text_starts);
  memset(tables, 0, sizeof *tables);
}

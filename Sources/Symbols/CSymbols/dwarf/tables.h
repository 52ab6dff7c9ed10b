// Arrays that grow up to a limit, and a pool that contains each string once.
#ifndef MS_TABLES_H
#define MS_TABLES_H

#include "ms_dwarf.h"

/// A hash table that finds the index of a text.
typedef struct {
  /// The hash is stored beside the index, so that few strings are compared in vain.
  struct ms_string_slot {
    uint32_t hash, text;
  } *slots;
  size_t slot_count, used;
} ms_string_map;

/// The tables during their construction.
typedef struct {
  ms_tables *tables;
  size_t unit_room, range_room, row_room, scope_room, scope_range_room;
  size_t symbol_start_room, symbol_room;
  size_t string_room, text_room;
  ms_string_map map;
  /// The limit of a table's size in bytes, in proportion to the file.
  size_t largest_table;
  /// The index of the symbol that was found last.
  size_t last_symbol;
  /// The remaining work before the limit for a file of this size.
  uint64_t work_left;
  /// True if a limit was exceeded or memory ran out. Reading then stops.
  bool failed;
} ms_builder;

/// Doubles the capacity of an array; returns false, and sets `failed`, if that exceeds the limits.
bool ms_make_room(ms_builder *builder, void **array, size_t *room, size_t element);

/// Makes room for another element; returns false, and sets `failed`, if that exceeds the limits.
static inline bool ms_grow(ms_builder *builder, void **array, size_t *room, size_t count,
                           size_t element) {
  return count < *room || ms_make_room(builder, array, room, element);
}

/// Appends `value` to the table `name`.
#define MS_APPEND(builder, array, count, room, ...)                                             \
  (ms_grow((builder), (void **)&(builder)->tables->array, &(builder)->room,                     \
           (builder)->tables->count, sizeof *(builder)->tables->array)                          \
       ? ((builder)->tables->array[(builder)->tables->count++] = __VA_ARGS__, true)             \
       : false)

/// True if an address lies in executable code.
static inline bool ms_is_text(const ms_builder *builder, uint64_t address) {
  return address >= builder->tables->text_low && address < builder->tables->text_high;
}

/// The offset of an address in the code; 0 for an address before the code.
static inline uint32_t ms_start(const ms_builder *builder, uint64_t address) {
  uint64_t low = builder->tables->text_low;
  if (address < low) return 0;
  return address - low < UINT32_MAX ? (uint32_t)(address - low) : UINT32_MAX;
}

/// Counts work that a corrupt file may cause repeatedly: bytes or ranges that are read.
static inline void ms_spend(ms_builder *builder, size_t work) {
  if (work > builder->work_left) builder->failed = true;
  else builder->work_left -= work;
}

/// Returns the index of a text, and adds the text if it is new. Returns MS_NONE for NULL, for an empty text, or if
/// the text does not fit.
uint32_t ms_intern(ms_builder *builder, const char *string);

/// Adds a text that is not looked up again.
uint32_t ms_add_text(ms_builder *builder, const char *string);

#endif

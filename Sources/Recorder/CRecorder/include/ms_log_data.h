// Encodes a crumb's keys and values in two forms at once: as data, for a crumb with its own texts, and as values, for a
// brief crumb.
#ifndef MAINSTAY_LOG_DATA_H
#define MAINSTAY_LOG_DATA_H

#include "ms_brief.h"
#include "ms_crumb_context.h"
#include "ms_log_format.h"
#include "ms_log_words.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The values of a brief crumb. Their words are computed in a register, because to load a word that was just stored in
/// parts takes longer than the rest.
typedef struct {
  uint64_t *next;    ///< the place of the next word; NULL: no values are kept
  uint64_t partial;  ///< the first bits of the next word
  uint64_t keys;     ///< a hash of all keys, types and fixed values
  uint32_t filled;   ///< the number of bits in `partial`
} ms_brief_values;

/// A buffer has this many bytes more than its encoded data, because short texts are stored as whole words.
enum { MS_DATA_SLACK = 16 };

/// The data of a crumb that is being encoded.
typedef struct {
  uint8_t *bytes;
  ms_brief_values values;
  uint32_t size;
  uint32_t context_size;  ///< the size of the context's values, which come last
  uint64_t context_key;   ///< a hash of the context's values
  uint8_t count;
  bool is_cut;
} ms_data;

/// Adds a key and a value. A value that does not fit is truncated or skipped, and the data are marked as cut. Signal
/// safety: safe, like all functions of this file.
void ms_data_put(ms_data *data, ms_data_type type, const void *key, size_t key_size, const void *value,
                 size_t value_size);

/// Adds encoded data as the context's values, or marks the data as cut if they do not fit.
void ms_data_put_context(ms_data *data, const ms_crumb_context *context);

/// Marks the value that was added last, at offset `start`, as fixed.
static inline void ms_data_fix(ms_data *data, uint32_t start) {
  if (data->size > start) data->bytes[start] |= MS_DATA_FIXED;
}

// --- Values of a brief crumb

static inline uint64_t ms_load64(const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

static inline uint32_t ms_load32(const uint8_t *from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

/// Packs 1 to 8 bytes of text into one word, padded with zeros. Reads nothing beyond the text.
static inline uint64_t ms_last_word(const uint8_t *text, size_t size) {
  if (size >= 4) return ms_load32(text) | (uint64_t)ms_load32(text + size - 4) << (8 * (size - 4));
  return (uint64_t)text[0] | (uint64_t)text[size / 2] << (8 * (size / 2)) |
         (uint64_t)text[size - 1] << (8 * (size - 1));
}

/// A text of at most 16 bytes, padded with zeros.
typedef struct {
  uint64_t low, high;
} ms_short_text;

static inline ms_short_text ms_short_text_of(const uint8_t *text, size_t size) {
  if (size > 8) return (ms_short_text){ms_load64(text), ms_last_word(text + 8, size - 8)};
  return (ms_short_text){size > 0 ? ms_last_word(text, size) : 0, 0};
}

#define MS_HASH_A UINT64_C(0xa0761d6478bd642f)
#define MS_HASH_B UINT64_C(0xe7037ed1a0b428db)

static inline uint64_t ms_hash_short(uint64_t hash, ms_short_text text, uint64_t shape) {
  return ms_mix(hash ^ text.low ^ MS_HASH_A, text.high ^ shape ^ MS_HASH_B);
}

/// Hashes a text together with `shape`, which must depend on the text's size.
static inline uint64_t ms_hash_text(uint64_t hash, const uint8_t *text, size_t size, uint64_t shape) {
  for (; __builtin_expect(size > 16, 0); text += 16, size -= 16) {
    hash = ms_mix(hash ^ ms_load64(text) ^ MS_HASH_B, ms_load64(text + 8) ^ MS_HASH_A);
  }
  return ms_hash_short(hash, ms_short_text_of(text, size), shape);
}

/// Appends the lowest `bits` bits of `value`, whose other bits are 0. `bits` is a multiple of 8, up to 64.
static inline void ms_values_push(ms_brief_values *values, uint64_t value, uint32_t bits) {
  uint32_t filled = values->filled + bits;
  uint64_t word = values->partial | value << values->filled;
  if (filled >= 64) {
    *values->next++ = word;
    word = value >> 1 >> (63 - values->filled);
    filled -= 64;
  }
  values->partial = word;
  values->filled = filled;
}

static inline void ms_values_push_short(ms_brief_values *values, ms_short_text text, size_t size) {
  ms_values_push(values, size, 8);
  if (size > 8) {
    ms_values_push(values, text.low, 64);
    ms_values_push(values, text.high, (uint32_t)(size - 8) * 8);
  } else {
    ms_values_push(values, text.low, (uint32_t)size * 8);
  }
}

/// Appends an integer as its size and its lowest bytes.
static inline void ms_values_push_integer(ms_brief_values *values, uint64_t value) {
  uint64_t magnitude = value ^ (uint64_t)((int64_t)value >> 63);
  uint32_t bits = (72 - (uint32_t)__builtin_clzll(magnitude | 1)) & ~7u;  // one more bit, for the sign
  if (bits == 64) {
    ms_values_push(values, 8, 8);
    ms_values_push(values, value, 64);
  } else {
    ms_values_push(values, bits / 8 | (value << (64 - bits) >> (56 - bits)), bits + 8);
  }
}

/// Appends the values of encoded data that are not fixed, and adds the rest to the hash. Returns the number of entries.
uint32_t ms_values_push_data(ms_brief_values *values, const uint8_t *data, size_t size);

// --- Short keys and values, which are most

static inline uint8_t *ms_data_begin_short(ms_data *data, ms_data_type type, const uint8_t *key, size_t key_size,
                                           size_t value_size) {
  ms_short_text text = ms_short_text_of(key, key_size);
  uint32_t shape = (uint32_t)type | (uint32_t)key_size << 8, head = shape | (uint32_t)value_size << 16;
  uint8_t *to = data->bytes + data->size;
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, &text.low, 8);
  memcpy(to + sizeof head + 8, &text.high, 8);
  data->values.keys = ms_hash_short(data->values.keys, text, shape);
  data->size += (uint32_t)(sizeof head + key_size + value_size);
  data->count++;
  return to + sizeof head + key_size;
}

static inline bool ms_data_has_room_for_short(const ms_data *data, size_t key_size) {
  enum { most = sizeof(ms_data_head) + 16 + 16 };
  return key_size <= 16 && data->size <= MS_DATA_LIMIT - most && data->count < UINT8_MAX;
}

static inline void ms_data_string(ms_data *data, const void *key, size_t key_size, const void *value,
                                  size_t value_size) {
  if (value_size > 16 || !ms_data_has_room_for_short(data, key_size)) {
    ms_data_put(data, MS_DATA_STRING, key, key_size, value, value_size);
    return;
  }
  ms_short_text text = ms_short_text_of((const uint8_t *)value, value_size);
  uint8_t *to = ms_data_begin_short(data, MS_DATA_STRING, (const uint8_t *)key, key_size, value_size);
  memcpy(to, &text, sizeof text);
  if (data->values.next) ms_values_push_short(&data->values, text, value_size);
}

static inline void ms_data_number(ms_data *data, ms_data_type type, const void *key, size_t key_size, uint64_t value) {
  if (!ms_data_has_room_for_short(data, key_size)) {
    ms_data_put(data, type, key, key_size, &value, sizeof value);
    return;
  }
  memcpy(ms_data_begin_short(data, type, (const uint8_t *)key, key_size, sizeof value), &value, sizeof value);
  if (data->values.next == NULL) return;
  if (type == MS_DATA_INTEGER) {
    ms_values_push_integer(&data->values, value);
  } else {
    ms_values_push(&data->values, value, 64);
  }
}

static inline void ms_data_integer(ms_data *data, const void *key, size_t key_size, int64_t value) {
  ms_data_number(data, MS_DATA_INTEGER, key, key_size, (uint64_t)value);
}

/// Adds a number with the key `nanoseconds`.
static inline void ms_data_nanoseconds(ms_data *data, uint64_t value) {
  ms_data_integer(data, MS_KEY_NANOSECONDS, sizeof MS_KEY_NANOSECONDS - 1, (int64_t)value);
}

static inline void ms_data_double(ms_data *data, const void *key, size_t key_size, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  ms_data_number(data, MS_DATA_DOUBLE, key, key_size, bits);
}

static inline void ms_data_boolean(ms_data *data, const void *key, size_t key_size, bool value) {
  uint8_t byte = value;
  if (!ms_data_has_room_for_short(data, key_size)) {
    ms_data_put(data, MS_DATA_BOOLEAN, key, key_size, &byte, sizeof byte);
    return;
  }
  *ms_data_begin_short(data, MS_DATA_BOOLEAN, (const uint8_t *)key, key_size, sizeof byte) = byte;
  if (data->values.next) ms_values_push(&data->values, byte, 8);
}

#ifdef __cplusplus
}
#endif
#endif

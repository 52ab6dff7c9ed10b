// Encodes a crumb's keys and values.
#ifndef MAINSTAY_LOG_DATA_H
#define MAINSTAY_LOG_DATA_H

#include "ms_log_format.h"
#include "ms_log_words.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Encodes a key and a value at offset `size` of MS_DATA_LIMIT bytes, and returns the new size. A value that does not
/// fit is truncated, and `*cut` is set. Signal safety: safe.
uint32_t ms_data_put(uint8_t *data, uint32_t size, ms_data_type type, const void *key,
                     size_t key_size, const void *value, size_t value_size, bool *cut);

/// Encodes a single number with the key `nanoseconds`, and returns the size. Signal safety: safe.
uint32_t ms_data_nanoseconds(uint8_t *data, uint64_t value);

// Most keys and values are short, so they are copied inline, in overlapping pieces, to avoid a call of `memcpy`.

enum { MS_DATA_SHORT = 16 };

static inline void ms_data_copy_short(uint8_t *to, const uint8_t *from, size_t size) {
  if (size >= 8) {
    uint64_t first, last;
    memcpy(&first, from, sizeof first);
    memcpy(&last, from + size - sizeof last, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy(to + size - sizeof last, &last, sizeof last);
  } else if (size >= 4) {
    uint32_t first, last;
    memcpy(&first, from, sizeof first);
    memcpy(&last, from + size - sizeof last, sizeof last);
    memcpy(to, &first, sizeof first);
    memcpy(to + size - sizeof last, &last, sizeof last);
  } else if (size > 0) {
    uint8_t middle = from[size / 2], last = from[size - 1];
    to[0] = from[0];
    to[size / 2] = middle;
    to[size - 1] = last;
  }
}

static inline uint32_t ms_data_add(uint8_t *data, uint32_t size, ms_data_type type,
                                   const void *key, size_t key_size, const void *value,
                                   size_t value_size, bool *cut) {
  enum { most = sizeof(ms_data_head) + 2 * MS_DATA_SHORT };
  if (key_size > MS_DATA_SHORT || value_size > MS_DATA_SHORT || size > MS_DATA_LIMIT - most) {
    return ms_data_put(data, size, type, key, key_size, value, value_size, cut);
  }
  ms_data_head head = {(uint8_t)type, (uint8_t)key_size, (uint16_t)value_size};
  uint8_t *to = data + size;
  memcpy(to, &head, sizeof head);
  ms_data_copy_short(to + sizeof head, (const uint8_t *)key, key_size);
  ms_data_copy_short(to + sizeof head + key_size, (const uint8_t *)value, value_size);
  return size + (uint32_t)(sizeof head + key_size + value_size);
}

// Encoders for each type of value, with the semantics of `ms_data_put`. Signal safety: safe.

static inline uint32_t ms_data_string(uint8_t *data, uint32_t size, const void *key,
                                      size_t key_size, const void *value, size_t value_size,
                                      bool *cut) {
  return ms_data_add(data, size, MS_DATA_STRING, key, key_size, value, value_size, cut);
}

static inline uint32_t ms_data_integer(uint8_t *data, uint32_t size, const void *key,
                                       size_t key_size, int64_t value, bool *cut) {
  return ms_data_add(data, size, MS_DATA_INTEGER, key, key_size, &value, sizeof value, cut);
}

static inline uint32_t ms_data_double(uint8_t *data, uint32_t size, const void *key,
                                      size_t key_size, double value, bool *cut) {
  return ms_data_add(data, size, MS_DATA_DOUBLE, key, key_size, &value, sizeof value, cut);
}

static inline uint32_t ms_data_boolean(uint8_t *data, uint32_t size, const void *key,
                                       size_t key_size, bool value, bool *cut) {
  uint8_t byte = value;
  return ms_data_add(data, size, MS_DATA_BOOLEAN, key, key_size, &byte, sizeof byte, cut);
}

#ifdef __cplusplus
}
#endif
#endif

// Encodes keys and values.

#include <string.h>

#include "log_internal.h"

enum { key_limit = 64 };

uint32_t ms_data_put(uint8_t *data, uint32_t size, ms_data_type type, const void *key,
                     size_t key_size, const void *value, size_t value_size, bool *cut) {
  size_t kept_key = ms_cut_text(key, key_size, key_limit);
  if (kept_key < key_size) *cut = true;
  size_t left = MS_DATA_LIMIT - size;
  if (left < sizeof(ms_data_head) + kept_key) {
    *cut = true;
    return size;
  }
  left -= sizeof(ms_data_head) + kept_key;
  size_t kept_value = value_size;
  if (kept_value > left) {
    *cut = true;
    if (type != MS_DATA_STRING) return size;
    kept_value = ms_cut_text(value, value_size, left);
  }
  ms_data_head head = {(uint8_t)type, (uint8_t)kept_key, (uint16_t)kept_value};
  memcpy(data + size, &head, sizeof head);
  size += sizeof head;
  memcpy(data + size, key, kept_key);
  memcpy(data + size + kept_key, value, kept_value);
  return size + (uint32_t)(kept_key + kept_value);
}

// The compiler reduces the constant sizes to a few stores.

uint32_t ms_data_nanoseconds(uint8_t *data, uint64_t value) {
  bool cut = false;
  return ms_data_integer(data, 0, MS_KEY_NANOSECONDS, sizeof MS_KEY_NANOSECONDS - 1, (int64_t)value,
                         &cut);
}

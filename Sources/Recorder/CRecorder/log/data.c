// Encodes keys and values.

#include <string.h>

#include "log_internal.h"

enum { key_limit = 64 };

void ms_data_put(ms_data *data, ms_data_type type, const void *key, size_t key_size, const void *value,
                 size_t value_size) {
  size_t kept_key = ms_cut_text(key, key_size, key_limit);
  if (kept_key < key_size) data->is_cut = true;
  size_t left = MS_DATA_LIMIT - data->size;
  if (left < sizeof(ms_data_head) + kept_key || data->count == UINT8_MAX) {
    data->is_cut = true;
    return;
  }
  left -= sizeof(ms_data_head) + kept_key;
  size_t kept_value = value_size;
  if (kept_value > left) {
    data->is_cut = true;
    if (type != MS_DATA_STRING) return;
    kept_value = ms_cut_text(value, value_size, left);
  }
  ms_data_head head = {(uint8_t)type, (uint8_t)kept_key, (uint16_t)kept_value};
  uint8_t *start = data->bytes + data->size;
  memcpy(start, &head, sizeof head);
  memcpy(start + sizeof head, key, kept_key);
  memcpy(start + sizeof head + kept_key, value, kept_value);
  size_t size = sizeof head + kept_key + kept_value;
  data->size += (uint32_t)size;
  data->count++;
  if (data->values.next) ms_values_push_data(&data->values, start, size);
}

void ms_data_put_context(ms_data *data, const ms_crumb_context *context) {
  uint32_t size = context->size, count = context->count;
  if (data->size + size > MS_DATA_LIMIT || data->count + count > UINT8_MAX) {
    data->is_cut = true;
    return;
  }
  memcpy(data->bytes + data->size, context->bytes, size);
  data->context_key = ms_mix(data->context_key ^ MS_HASH_A, context->key ^ MS_HASH_B);
  data->size += size;
  data->context_size += size;
  data->count += (uint8_t)count;
}

/// Converts eight hexadecimal digits, with letters in lower case, to 32 bits. Returns false for other characters.
static bool pack_digits(const uint8_t *text, uint64_t *packed) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t word = ms_load64(text), letters = word >> 6 & ones;
  uint64_t digits = (word & 0x0f * ones) + 9 * letters;
  // A letter is from 10 to 15, and a digit below 10.
  if (digits & 0xf0 * ones || ((digits + 6 * ones) & 0x10 * ones) != letters << 4) return false;
  if (digits + 0x30 * ones + 0x27 * letters != word) return false;
  uint64_t pairs = (digits << 4 | digits >> 8) & UINT64_C(0x00ff00ff00ff00ff);
  pairs = (pairs | pairs >> 8) & UINT64_C(0x0000ffff0000ffff);
  *packed = (pairs | pairs >> 16) & UINT64_C(0xffffffff);
  return true;
}

/// Appends an id, which often is a hexadecimal number. Returns false, and appends nothing, for other texts.
static bool push_digits(ms_brief_values *values, const uint8_t *text, size_t size) {
  enum { at_once = 8, most = 64 };
  uint64_t packed[most / at_once];
  if (size % at_once != 0 || size > most) return false;
  for (size_t i = 0; i < size / at_once; i++) {
    if (!pack_digits(text + i * at_once, &packed[i])) return false;
  }
  ms_values_push(values, MS_BRIEF_HEX | size / 2 << 8, 16);
  for (size_t i = 0; i < size / at_once; i++) ms_values_push(values, packed[i], 32);
  return true;
}

static void push_string(ms_brief_values *values, const uint8_t *text, size_t size) {
  if (size > 16 && push_digits(values, text, size)) return;
  if (size < MS_BRIEF_HEX) {
    ms_values_push(values, size, 8);
  } else {
    ms_values_push(values, MS_BRIEF_LONG | size << 8, 24);
  }
  for (; size > 8; text += 8, size -= 8) ms_values_push(values, ms_load64(text), 64);
  if (size > 0) ms_values_push(values, ms_last_word(text, size), (uint32_t)size * 8);
}

uint32_t ms_values_push_data(ms_brief_values *values, const uint8_t *data, size_t size) {
  const uint8_t *end = data + size;
  uint32_t count = 0;
  for (; data < end; count++) {
    uint32_t head = ms_load32(data), shape = head & 0xffff;
    size_t key_size = head >> 8 & 0xff, value_size = head >> 16;
    const uint8_t *key = data + sizeof(ms_data_head), *value = key + key_size;
    values->keys = ms_hash_text(values->keys, key, key_size, shape);
    switch (head & 0xff) {
      case MS_DATA_STRING: push_string(values, value, value_size); break;
      case MS_DATA_INTEGER: ms_values_push_integer(values, ms_load64(value)); break;
      case MS_DATA_DOUBLE: ms_values_push(values, ms_load64(value), 64); break;
      case MS_DATA_BOOLEAN: ms_values_push(values, *value, 8); break;
      default: values->keys = ms_hash_text(values->keys, value, value_size, value_size); break;
    }
    data = value + value_size;
  }
  return count;
}

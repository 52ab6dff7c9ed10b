#include "ms_brief.h"

// The records come from an untrusted file, so every access is checked.

typedef struct {
  const uint8_t *at;
  const uint8_t *end;
  bool is_valid;
} source;

typedef struct {
  ms_template_record fixed;
  const uint8_t *category;
  const uint8_t *message;
  source entries;
} template_parts;

static size_t padded(size_t size) { return (size + 7) & ~(size_t)7; }

static size_t size_of(const uint8_t *record) {
  ms_record_head head;
  memcpy(&head, record, sizeof head);
  return (size_t)head.words * 8;
}

static const uint8_t *take(source *from, size_t size) {
  if ((size_t)(from->end - from->at) < size) from->is_valid = false;
  if (!from->is_valid) return NULL;
  const uint8_t *taken = from->at;
  from->at += size;
  return taken;
}

static bool read_template(const uint8_t *record, template_parts *parts) {
  source rest = {record, record + size_of(record), true};
  const uint8_t *fixed = take(&rest, sizeof parts->fixed);
  if (fixed == NULL) return false;
  memcpy(&parts->fixed, fixed, sizeof parts->fixed);
  parts->category = take(&rest, padded(parts->fixed.category_size));
  parts->message = take(&rest, padded(parts->fixed.message_size));
  const uint8_t *entries = take(&rest, parts->fixed.entries_size);
  if (!rest.is_valid) return false;
  parts->entries = (source){entries, entries + parts->fixed.entries_size, true};
  return parts->fixed.category_size <= MS_CATEGORY_LIMIT && parts->fixed.message_size <= MS_MESSAGE_LIMIT &&
         parts->fixed.context_count <= parts->fixed.count;
}

/// Data under construction.
typedef struct data {
  uint8_t *bytes;
  size_t size;
  uint32_t count;
  bool is_valid;
} data;

static void put(data *out, uint8_t type, const uint8_t *key, size_t key_size, const uint8_t *value, size_t value_size) {
  ms_data_head head = {type, (uint8_t)key_size, (uint16_t)value_size};
  if (out->size + sizeof head + key_size + value_size > MS_DATA_LIMIT || out->count == UINT8_MAX) out->is_valid = false;
  if (!out->is_valid) return;
  uint8_t *to = out->bytes + out->size;
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, key, key_size);
  memcpy(to + sizeof head + key_size, value, value_size);
  out->size += sizeof head + key_size + value_size;
  out->count++;
}

static const uint8_t *take_integer(source *values, uint8_t number[8]) {
  const uint8_t *size = take(values, 1);
  const uint8_t *low = size && *size <= 8 ? take(values, *size) : NULL;
  if (low == NULL) {
    values->is_valid = false;
    return NULL;
  }
  bool is_negative = *size > 0 && low[*size - 1] & 0x80;
  memset(number, is_negative ? 0xff : 0, 8);
  memcpy(number, low, *size);
  return number;
}

/// - room: 2 × UINT8_MAX bytes, for a text that is not stored as it is.
static const uint8_t *take_string(source *values, uint8_t *room, size_t *size) {
  static const char digits[] = "0123456789abcdef";
  const uint8_t *first = take(values, 1);
  *size = first ? *first : 0;
  if (*size == MS_BRIEF_LONG) {
    uint16_t long_size = 0;
    const uint8_t *bytes = take(values, sizeof long_size);
    if (bytes) memcpy(&long_size, bytes, sizeof long_size);
    *size = long_size;
  } else if (*size == MS_BRIEF_HEX) {
    const uint8_t *count = take(values, 1);
    const uint8_t *bytes = count ? take(values, *count) : NULL;
    if (bytes == NULL) return NULL;
    *size = 2 * (size_t)*count;
    for (size_t i = 0; i < *size; i++) room[i] = (uint8_t)digits[(i % 2 ? bytes[i / 2] : bytes[i / 2] >> 4) & 15];
    return room;
  }
  return take(values, *size);
}

/// Copies `count` entries with their values; skips the values of entries that are not `kept`.
static void copy_entries(source *entries, source *values, uint32_t count, bool kept, data *out) {
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *head = take(entries, 2);
    if (head == NULL) break;
    uint8_t type = head[0] & (uint8_t)~MS_DATA_FIXED, number[8], text[2 * UINT8_MAX];
    bool is_fixed = head[0] & MS_DATA_FIXED;
    uint16_t fixed_size = 0;
    const uint8_t *bytes = is_fixed ? take(entries, sizeof fixed_size) : NULL;
    if (bytes) memcpy(&fixed_size, bytes, sizeof fixed_size);
    const uint8_t *key = take(entries, head[1]);
    size_t size = fixed_size;
    const uint8_t *value = NULL;
    if (is_fixed) {
      value = take(entries, fixed_size);
    } else if (type == MS_DATA_STRING) {
      value = take_string(values, text, &size);
    } else if (type == MS_DATA_INTEGER) {
      value = take_integer(values, number);
      size = sizeof number;
    } else {
      size = type == MS_DATA_DOUBLE ? 8 : 1;
      value = take(values, size);
    }
    if (!entries->is_valid || !values->is_valid) break;
    if (kept) put(out, type, key, head[1], value, size);
  }
  if (!entries->is_valid || !values->is_valid) out->is_valid = false;
}

static source values_of(const uint8_t *crumb) {
  return (source){crumb + offsetof(ms_brief_record, values), crumb + size_of(crumb), true};
}

/// Adds the context's values, which another crumb has. Returns false if that crumb is invalid.
static bool copy_context(const ms_brief_parts *parts, data *out) {
  template_parts texts;
  if (size_of(parts->context) < sizeof(ms_brief_record) || !read_template(parts->context_texts, &texts)) return false;
  source values = values_of(parts->context);
  uint32_t own = texts.fixed.count - texts.fixed.context_count;
  copy_entries(&texts.entries, &values, own, false, out);
  copy_entries(&texts.entries, &values, texts.fixed.context_count, true, out);
  return out->is_valid;
}

static uint8_t *put_padded(uint8_t *to, const uint8_t *bytes, size_t size) {
  memset(to, 0, padded(size));
  if (size > 0) memcpy(to, bytes, size);
  return to + padded(size);
}

/// Reads the values of a crumb itself, and its hop's id, if it has one. Returns false if its records do not fit together.
static bool copy_own(const ms_brief_parts *parts, uint8_t flags, template_parts *texts, const uint8_t **hop,
                     data *out) {
  if (parts->texts == NULL || !read_template(parts->texts, texts)) return false;
  source values = values_of(parts->crumb);
  copy_entries(&texts->entries, &values, texts->fixed.count, true, out);
  if (flags & MS_CRUMB_HAS_HOP) *hop = take(&values, sizeof(uint64_t));
  return out->is_valid && values.is_valid;
}

uint32_t ms_brief_expand(const ms_brief_parts *parts, uint8_t *out) {
  static const char damaged[] = "the text of this crumb is damaged";
  ms_brief_record brief;
  memcpy(&brief, parts->crumb, sizeof brief);
  template_parts texts;
  const uint8_t *hop = NULL;
  uint8_t bytes[MS_DATA_LIMIT];
  data data = {bytes, 0, 0, true};
  bool has_texts = copy_own(parts, brief.flags, &texts, &hop, &data);
  if (!has_texts) {
    texts = (template_parts){.fixed = {.message_size = sizeof damaged - 1}, .message = (const uint8_t *)damaged};
    data = (struct data){bytes, 0, 0, true};
    hop = NULL;
    brief.flags &= (uint8_t)~MS_CRUMB_HAS_HOP;
  }
  struct data own = data;
  bool has_context = brief.context == 0 || (parts->context && parts->context_texts && copy_context(parts, &data));
  if (!has_context) data = own;
  if (!has_texts || !has_context) brief.flags |= MS_CRUMB_DATA_CUT;
  ms_crumb_record crumb = {
      .head = brief.head,
      .ticks = brief.ticks,
      .thread = brief.thread,
      .queue = brief.queue,
      .stack = brief.stack,
      .message_size = texts.fixed.message_size,
      .data_size = (uint16_t)data.size,
      .category_size = texts.fixed.category_size,
      .data_count = (uint8_t)data.count,
      .level = texts.fixed.level,
      .flags = brief.flags,
  };
  memcpy(out, &crumb, sizeof crumb);
  uint8_t *to = out + sizeof crumb;
  if (hop) to = put_padded(to, hop, sizeof(uint64_t));
  to = put_padded(to, texts.category, texts.fixed.category_size);
  to = put_padded(to, texts.message, texts.fixed.message_size);
  to = put_padded(to, data.bytes, data.size);
  return (uint32_t)(to - out);
}

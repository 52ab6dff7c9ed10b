// Appends brief crumbs, and the templates to which they refer.
//
// A template is found by a hash of 64 bits over the log's random salt and the template's texts, or their addresses if
// they are constants. Two different templates with the same hash are too rare to occur, and cannot be constructed.
#ifndef MAINSTAY_APPEND_BRIEF_H
#define MAINSTAY_APPEND_BRIEF_H

#include "record_words.h"

typedef struct {
  uint32_t category, message, data, words;
} ms_crumb_sizes;

/// The time of a crumb, and the offsets of its queue and its stack.
typedef struct {
  uint64_t ticks;
  uint16_t queue, stack;
} ms_crumb_place;

/// A crumb that is being encoded as a brief one.
typedef struct {
  ms_brief_values values;  // `keys` identifies the template
  uint16_t context;        // offset of the crumb that has the context's values, in words; 0: none
  bool has_context;        // the crumb itself has the context's values
  uint8_t context_count;
} ms_brief;

enum { MS_BRIEF_BEFORE = 8 * (offsetof(ms_brief_record, values) - offsetof(ms_brief_record, texts)) };  // bits

/// Begins the words of a brief crumb; the bits before the values are set when the crumb is written.
MS_INLINE ms_brief_values ms_brief_begin(ms_log_thread *thread) {
  return (ms_brief_values){.next = thread->words, .keys = thread->log->salt, .filled = MS_BRIEF_BEFORE};
}

/// Templates are cached only at the outermost level, as stacks.
MS_INLINE bool ms_brief_is_possible(const ms_log_thread *thread, const ms_crumb_sizes *sizes) {
  return sizes->words <= MS_BRIEF_LIMIT / 8 && thread->depth == 1;
}

/// Returns the offset of the crumb with the context's values; 0: no crumb in the chunk has them.
MS_INLINE uint16_t ms_place_of_context(const ms_log_thread *thread, const ms_writer *writer, uint64_t key) {
  const ms_placed *known = &thread->contexts[key % MS_CONTEXT_CACHE];
  return ms_stands_here(known, writer, key) ? known->place : 0;
}

/// Hashes the texts and `keys`. For constant texts, hashes their addresses.
MS_INLINE uint64_t ms_brief_key(const ms_log_thread *thread, const ms_crumb *crumb, uint64_t keys) {
  uint64_t shape = crumb->message_size << 40 | crumb->category_size << 16 | (uint64_t)crumb->level << 8 | crumb->kind;
  uint64_t salt = thread->log->salt;
  if (crumb->has_constant_texts) {
    uint64_t category = (uintptr_t)crumb->category ^ shape;
    return ms_mix(salt ^ (uintptr_t)crumb->message, category ^ MS_HASH_A) ^ keys;
  }
  uint64_t category = ms_hash_text(salt, crumb->category, crumb->category_size, shape);
  return ms_hash_text(category ^ keys, crumb->message, crumb->message_size, shape);
}

/// The number and the size of a template's entries.
typedef struct {
  uint32_t count, size;
} ms_entries;

MS_INLINE ms_data_head ms_head_at(const uint8_t *data) {
  ms_data_head head;
  memcpy(&head, data, sizeof head);
  return head;
}

static ms_entries ms_entries_of(const uint8_t *data, size_t size) {
  const uint8_t *end = data + size;
  ms_entries entries = {0, 0};
  while (data < end) {
    ms_data_head head = ms_head_at(data);
    bool is_fixed = head.type & MS_DATA_FIXED;
    entries.count++;
    entries.size += head.key_size + (is_fixed ? sizeof head + head.value_size : sizeof head - sizeof head.value_size);
    data += sizeof head + head.key_size + head.value_size;
  }
  return entries;
}

static void ms_put_entries(uint8_t *to, const uint8_t *data, size_t size) {
  const uint8_t *end = data + size;
  while (data < end) {
    ms_data_head head = ms_head_at(data);
    bool is_fixed = head.type & MS_DATA_FIXED;
    size_t kept = sizeof head - (is_fixed ? 0 : sizeof head.value_size);
    size_t texts = head.key_size + (is_fixed ? head.value_size : 0);
    memcpy(to, &head, kept);
    memcpy(to + kept, data + sizeof head, texts);
    to += kept + texts;
    data += sizeof head + head.key_size + head.value_size;
  }
}

static uint8_t *ms_put_padded(uint8_t *to, const void *text, size_t size) {
  if (size == 0) return to;
  size_t padded = (size + 7) & ~(size_t)7;
  memset(to + padded - 8, 0, 8);
  memcpy(to, text, size);
  return to + padded;
}

static uint16_t ms_write_template(ms_writer *writer, const ms_crumb *crumb, const ms_crumb_sizes *sizes,
                                    const ms_brief *brief) {
  uint32_t data_size = crumb->data_size - (brief->has_context ? 0 : crumb->context_size);
  ms_entries entries = ms_entries_of(crumb->data, data_size);
  uint32_t words = sizeof(ms_template_record) / 8 + ms_words_of(sizes->category) + ms_words_of(sizes->message) +
                   ms_words_of(entries.size);
  ms_template_record *record = (ms_template_record *)ms_writer_begin(writer, words, MS_RECORD_TEMPLATE);
  record->message_size = (uint16_t)sizes->message;
  record->entries_size = (uint16_t)entries.size;
  record->category_size = (uint8_t)sizes->category;
  record->count = (uint8_t)entries.count;
  record->context_count = brief->context_count;
  record->level = crumb->level;
  uint8_t *texts = (uint8_t *)(record + 1);
  texts = ms_put_padded(texts, crumb->category, sizes->category);
  texts = ms_put_padded(texts, crumb->message, sizes->message);
  ms_put_entries(texts, crumb->data, data_size);
  return ms_writer_commit(writer, &record->head, words);
}

/// Returns one of the two slots for a template.
MS_INLINE ms_placed *ms_template_slot(ms_log_thread *thread, uint64_t key, int which) {
  return &thread->templates[(which ? key >> 32 : key) % MS_TEMPLATE_CACHE];
}

/// Returns true if this thread recorded texts with this key before. Remembers the key.
static bool ms_texts_are_known(ms_log_thread *thread, uint64_t key) {
  uint32_t *known = thread->texts[(key >> 8) % MS_TEXTS_CACHE], part = (uint32_t)(key >> 32) | 1;
  if (known[0] == part || known[1] == part) return true;
  known[1] = known[0];
  known[0] = part;
  return false;
}

/// Returns the offset of the crumb's template; 0 for texts that this thread records for the first time, because texts
/// that never occur again would need more space with a template.
static uint16_t ms_place_new_template(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                                        const ms_crumb_sizes *sizes, uint64_t key, const ms_brief *brief) {
  ms_placed *slot = NULL;
  bool is_known = false;
  for (int i = 0; i < 2; i++) {
    ms_placed *other = ms_template_slot(thread, key, i);
    is_known = is_known || other->key == key;
    // A template of this chunk stays. Otherwise, two texts with the same slots would be written again and again.
    if (!ms_stands_here(other, writer, other->key)) slot = other;
  }
  if (slot == NULL || !(is_known || ms_texts_are_known(thread, key))) return 0;
  uint16_t place = ms_write_template(writer, crumb, sizes, brief);
  *slot = (ms_placed){key, (uint32_t)writer->generation, place};
  return place;
}

/// Returns the offset of the template with this key; 0: the chunk has none.
MS_INLINE uint16_t ms_place_of_template(ms_log_thread *thread, const ms_writer *writer, uint64_t key) {
  const ms_placed *known = ms_template_slot(thread, key, 0);
  if (__builtin_expect(ms_stands_here(known, writer, key), 1)) return known->place;
  known = ms_template_slot(thread, key, 1);
  return ms_stands_here(known, writer, key) ? known->place : 0;
}

/// Adds values of data that were encoded without them, and returns their number.
MS_APART uint32_t ms_brief_push(ms_brief_values *values, const uint8_t *data, uint32_t size) {
  return ms_values_push_data(values, data, size);
}

/// Encodes a crumb: its values, and those of the context unless another crumb in the chunk has them.
MS_INLINE ms_brief ms_brief_of(ms_log_thread *thread, const ms_writer *writer, const ms_crumb *crumb) {
  uint32_t own = crumb->data_size - crumb->context_size;
  ms_brief brief = {.values = crumb->values ? *crumb->values : ms_brief_begin(thread)};
  if (!crumb->values && own > 0) {
    ms_brief_values values = brief.values;
    ms_brief_push(&values, crumb->data, own);
    brief.values = values;
  }
  if (crumb->context_size == 0) return brief;
  brief.context = ms_place_of_context(thread, writer, crumb->context_key);
  if (brief.context != 0) return brief;
  ms_brief_values values = brief.values;
  brief.has_context = true;
  brief.context_count = (uint8_t)ms_brief_push(&values, crumb->data + own, crumb->context_size);
  values.keys ^= brief.context_count;
  brief.values = values;
  return brief;
}

/// Returns the number of words of a brief crumb after its stack. At most one of them is not in the thread's memory.
MS_INLINE uint32_t ms_brief_words(const ms_log_thread *thread, const ms_brief_values *values) {
  return (uint32_t)(values->next - thread->words) + (values->filled > 0);
}

MS_INLINE void ms_write_brief(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                              const ms_crumb_place *place, const ms_brief *brief, uint16_t texts, uint32_t words,
                              bool sums) {
  uint64_t first = texts | (uint64_t)brief->context << 16 | (uint64_t)crumb->flags << 32;
  bool is_filled = brief->values.filled > 0;
  uint32_t whole = words - is_filled;
  uint16_t offset = (uint16_t)(writer->used / 8);
  ms_word_writer out =
      ms_begin_crumb(thread, writer, MS_RECORD_BRIEF, offsetof(ms_brief_record, texts) / 8 + words,
                     (ms_kind)crumb->kind, place->ticks, place->queue, place->stack, sums);
  for (uint32_t i = 0; i < whole; i++) ms_put_word(&out, thread->words[i] | (i == 0 ? first : 0));
  if (is_filled) ms_put_word(&out, brief->values.partial | (whole == 0 ? first : 0));
  ms_end_crumb(writer, &out, (ms_kind)crumb->kind);
  if (!brief->has_context) return;
  thread->contexts[crumb->context_key % MS_CONTEXT_CACHE] =
      (ms_placed){crumb->context_key, (uint32_t)writer->generation, offset};
}

/// Appends a brief crumb whose template is in the chunk. Otherwise, or if the chunk has no room, returns false and
/// appends nothing.
MS_INLINE bool ms_append_known_brief(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                                     const ms_crumb_place *place) {
  bool is_long = crumb->message_size > MS_BRIEF_LIMIT || crumb->category_size > MS_CATEGORY_LIMIT;
  if (__builtin_expect(!crumb->has_constant_texts && is_long, 0)) return false;
  ms_brief brief = ms_brief_of(thread, writer, crumb);
  uint16_t texts = ms_place_of_template(thread, writer, ms_brief_key(thread, crumb, brief.values.keys));
  if (__builtin_expect(texts == 0, 0)) return false;
  if (crumb->flags & MS_CRUMB_HAS_HOP) ms_values_push(&brief.values, crumb->hop, 64);
  uint32_t words = ms_brief_words(thread, &brief.values);
  if (__builtin_expect(writer->used + offsetof(ms_brief_record, texts) + words * 8 > writer->limit, 0)) return false;
  ms_write_brief(thread, writer, crumb, place, &brief, texts, words, true);
  return true;
}

/// Appends a brief crumb, after its template if that is new. Returns false, and appends nothing, if the crumb must have
/// its own texts.
static bool ms_append_brief(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                            const ms_crumb_sizes *sizes, const ms_crumb_place *place) {
  ms_brief brief = ms_brief_of(thread, writer, crumb);
  uint64_t key = ms_brief_key(thread, crumb, brief.values.keys);
  uint16_t texts = ms_place_of_template(thread, writer, key);
  if (texts == 0) texts = ms_place_new_template(thread, writer, crumb, sizes, key, &brief);
  if (texts == 0) return false;
  if (crumb->flags & MS_CRUMB_HAS_HOP) ms_values_push(&brief.values, crumb->hop, 64);
  ms_write_brief(thread, writer, crumb, place, &brief, texts, ms_brief_words(thread, &brief.values), false);
  return true;
}

#endif

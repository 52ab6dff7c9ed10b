// The hot path of every crumb.

#include "log_internal.h"

#define MS_INLINE static inline __attribute__((always_inline))
#define MS_APART static __attribute__((noinline))

static const uint8_t pool_of_kind[MS_KINDS] = {
    [MS_KIND_NOTE] = MS_POOL_CHATTER,
    [MS_KIND_LIFECYCLE] = MS_POOL_LIFECYCLE,
    [MS_KIND_UI_WORK] = MS_POOL_CHATTER,
    [MS_KIND_VIOLATION] = MS_POOL_VIOLATION,
    [MS_KIND_HOP] = MS_POOL_CHATTER,
    [MS_KIND_BACKGROUND_TASK] = MS_POOL_BACKGROUND_TASK,
    [MS_KIND_HANG] = MS_POOL_HANG,
    [MS_KIND_ERROR] = MS_POOL_ERROR,
};

MS_INLINE uint32_t words_of(size_t bytes) { return (uint32_t)((bytes + 7) / 8); }

/// Increments by a single instruction if the architecture has one, so that a signal handler on the same thread never
/// gets the same number.
MS_INLINE uint32_t next_number(uint32_t *counter) {
#if defined(__x86_64__)
  uint32_t step = 1;
  __asm__ volatile("xaddl %0, %1" : "+r"(step), "+m"(*counter));
  return step + 1;
#else
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
#endif
}

MS_INLINE ms_record_head *begin(ms_writer *writer, uint32_t words, ms_record_type type) {
  ((uint64_t *)(writer->chunk + writer->used))[words - 1] = 0;
  return ms_record_begin(writer->chunk, writer->used, writer->tag, words, type);
}

MS_INLINE uint16_t commit(ms_writer *writer, ms_record_head *head, uint32_t words) {
  ms_record_commit(head, words, writer->seed + writer->used);
  uint16_t place = (uint16_t)(writer->used / 8);
  writer->used += words * 8;
  return place;
}

// --- Records to which crumbs refer

MS_INLINE ms_placed *queue_slot(ms_writer *writer, uint64_t serial) {
  return &writer->queues[serial % MS_QUEUE_CACHE];
}

MS_INLINE bool stands_here(const ms_placed *placed, const ms_writer *writer, uint64_t key) {
  return placed->key == key && placed->generation == (uint32_t)writer->generation &&
         placed->place != 0;
}

MS_APART uint16_t write_queue(ms_writer *writer, uint64_t serial, const char *label) {
  if (label == NULL) label = "";
  size_t size = ms_cut_text(label, strnlen(label, MS_LABEL_LIMIT + 4), MS_LABEL_LIMIT);
  uint32_t words = words_of(sizeof(ms_queue_record) + size);
  ms_queue_record *record = (ms_queue_record *)begin(writer, words, MS_RECORD_QUEUE);
  record->serial = serial;
  record->label_size = (uint32_t)size;
  record->reserved = 0;
  memcpy(record + 1, label, size);
  uint16_t place = commit(writer, &record->head, words);
  *queue_slot(writer, serial) = (ms_placed){serial, (uint32_t)writer->generation, place};
  return place;
}

MS_APART uint16_t write_stack(ms_writer *writer, const ms_crumb *crumb) {
  uint32_t words = words_of(sizeof(ms_stack_record)) + crumb->frame_count;
  ms_stack_record *record = (ms_stack_record *)begin(writer, words, MS_RECORD_STACK);
  record->count = crumb->frame_count;
  record->end = crumb->walk_end;
  record->first_is_instruction = crumb->first_is_instruction;
  record->reserved = 0;
  for (uint32_t i = 0; i < crumb->frame_count; i++) record->frames[i] = crumb->frames[i];
  return commit(writer, &record->head, words);
}

// --- The crumb

typedef struct {
  uint32_t category, message, data, words;
} crumb_sizes;

MS_INLINE crumb_sizes sizes_of(const ms_crumb *crumb) {
  crumb_sizes sizes;
  sizes.category = (uint32_t)ms_cut_text(crumb->category, crumb->category_size, MS_CATEGORY_LIMIT);
  sizes.message = (uint32_t)ms_cut_text(crumb->message, crumb->message_size, MS_MESSAGE_LIMIT);
  sizes.data = crumb->data_size;
  sizes.words = sizeof(ms_crumb_record) / 8 + (crumb->flags & MS_CRUMB_HAS_HOP ? 1 : 0) +
                words_of(sizes.category) + words_of(sizes.message) + words_of(sizes.data);
  return sizes;
}

/// Packs up to 8 bytes of text into one word, padded with zeros. Reads nothing beyond the text.
MS_INLINE uint64_t last_word(const uint8_t *text, size_t size) {
  uint32_t low, high;
  if (size >= 4) {
    memcpy(&low, text, 4);
    memcpy(&high, text + size - 4, 4);
    return low | (uint64_t)high << (8 * (size - 4));
  }
  return (uint64_t)text[0] | (uint64_t)text[size / 2] << (8 * (size / 2)) |
         (uint64_t)text[size - 1] << (8 * (size - 1));
}

/// A cursor at a record's next word, with the checksum of the words before it if `sums` (a compile-time constant).
typedef struct {
  uint64_t *to;
  uint64_t sum;
  bool sums;
  ms_record_head *head;
  uint32_t number;
  uint32_t words;
} word_writer;

MS_INLINE void put_word(word_writer *out, uint64_t word) {
  *out->to++ = word;
  if (out->sums) out->sum = ms_crc_word(out->sum, word);
}

/// Writes text in whole words, the last one padded with zeros.
MS_INLINE void put_text(word_writer *out, const void *bytes, size_t size) {
  const uint8_t *text = bytes;
  uint64_t word;
  for (; size >= 8; size -= 8, text += 8) {
    memcpy(&word, text, 8);
    put_word(out, word);
  }
  if (size > 0) put_word(out, last_word(text, size));
}

/// Packs the word of a crumb's record that contains its sizes, its level and its flags.
MS_INLINE uint64_t sizes_word(uint32_t message, uint32_t data, uint32_t category, uint8_t count,
                              uint8_t level, uint8_t flags) {
  return message | (uint64_t)data << 16 | (uint64_t)category << 32 | (uint64_t)count << 40 |
         (uint64_t)level << 48 | (uint64_t)flags << 56;
}

/// Begins a crumb's record and writes its time, thread, queue and stack. If `sums`, the checksum is computed during
/// the writes, so that no word is read back.
MS_INLINE word_writer begin_crumb(ms_log_thread *thread, ms_writer *writer, uint32_t words,
                                  ms_kind kind, uint64_t ticks, uint16_t queue, uint16_t stack,
                                  bool sums) {
  ms_record_head *head = (ms_record_head *)(writer->chunk + writer->used);
  uint32_t number = next_number(&thread->number);
  uint64_t first = ms_record_first_word(writer->tag, words, MS_RECORD_CRUMB, kind);
  ms_record_store_first(head, first);
  word_writer out = {(uint64_t *)(head + 1), writer->seed + writer->used, sums, head, number, words};
  if (sums) out.sum = ms_crc_word(ms_crc_word(out.sum, first), number);
  // model: record-payload
  put_word(&out, ticks);
  put_word(&out, thread->ordinal | (uint64_t)queue << 32 | (uint64_t)stack << 48);
  return out;
}

MS_INLINE void end_crumb(ms_writer *writer, word_writer *out, ms_kind kind) {
  out->head->number = out->number;
  if (!out->sums) out->sum = ms_record_sum(out->head, out->words, writer->seed + writer->used);
  ms_order();
  // model: record-sum
  __atomic_store_n(&out->head->sum, (uint32_t)out->sum, __ATOMIC_RELEASE);
  ms_order();
  // model: record-done
  writer->used += out->words * 8;
  writer->counts[kind]++;
}

/// Returns the flag of a crumb that a signal handler recorded while its thread was recording another crumb.
MS_INLINE uint8_t interrupting(const ms_log_thread *thread) {
  return thread->depth > 1 ? MS_CRUMB_INTERRUPTING : 0;
}

MS_INLINE void write_crumb(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                           const crumb_sizes *sizes, uint64_t ticks, uint16_t queue,
                           uint16_t stack, bool sums) {
  uint8_t flags = (uint8_t)(crumb->flags |
                            (sizes->message < crumb->message_size ? MS_CRUMB_MESSAGE_CUT : 0) |
                            interrupting(thread));
  ms_kind kind = (ms_kind)crumb->kind;
  word_writer out = begin_crumb(thread, writer, sizes->words, kind, ticks, queue, stack, sums);
  put_word(&out, sizes_word(sizes->message, sizes->data, sizes->category, crumb->data_count,
                            crumb->level, flags));
  if (flags & MS_CRUMB_HAS_HOP) put_word(&out, crumb->hop);
  put_text(&out, crumb->category, sizes->category);
  put_text(&out, crumb->message, sizes->message);
  put_text(&out, crumb->data, sizes->data);
  end_crumb(writer, &out, kind);
}

MS_INLINE uint16_t place_queue(ms_writer *writer, uint64_t serial, const char *label) {
  if (serial == 0) return 0;
  ms_placed *known = queue_slot(writer, serial);
  if (stands_here(known, writer, serial)) return known->place;
  return write_queue(writer, serial, label);
}

static bool is_stack_at(const ms_writer *writer, uint16_t place, const ms_crumb *crumb) {
  const ms_stack_record *record = (const ms_stack_record *)(writer->chunk + place * 8u);
  return record->count == crumb->frame_count && record->end == crumb->walk_end &&
         record->first_is_instruction == crumb->first_is_instruction &&
         memcmp(record->frames, crumb->frames, crumb->frame_count * sizeof(uint64_t)) == 0;
}

/// Returns the cache slot of a repeated walk; NULL for other stacks.
MS_INLINE ms_placed *walk_slot(ms_log_thread *thread, const ms_crumb *crumb) {
  if (crumb->walk == 0 || thread->depth != 1) return NULL;
  return &thread->walks[crumb->walk % MS_WALK_CACHE];
}

MS_INLINE void note_walk(ms_log_thread *thread, const ms_writer *writer, const ms_crumb *crumb,
                         uint16_t place) {
  ms_placed *slot = walk_slot(thread, crumb);
  if (slot != NULL) *slot = (ms_placed){crumb->walk, (uint32_t)writer->generation, place};
}

/// Caches stacks only at the outermost level, because a handler could change an entry while the interrupted code
/// reads it. Caches only stacks of permanently loaded code, because addresses of other code may be reused.
MS_APART uint16_t place_new_stack(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                                  uint64_t ticks) {
  ms_log *log = thread->log;
  uint64_t key = ms_crc(crumb->walk_end, (const uint64_t *)crumb->frames, crumb->frame_count);
  ms_placed *known = &thread->stacks[key % MS_STACK_CACHE];
  bool outermost = thread->depth == 1;
  if (outermost && stands_here(known, writer, key) && is_stack_at(writer, known->place, crumb)) {
    note_walk(thread, writer, crumb, known->place);
    return known->place;
  }
  bool lasting = ms_modules_note(log, crumb->frames, crumb->frame_count, ticks);
  uint16_t place = write_stack(writer, crumb);
  if (outermost && lasting) {
    *known = (ms_placed){key, (uint32_t)writer->generation, place};
    note_walk(thread, writer, crumb, place);
  }
  return place;
}

MS_INLINE uint16_t place_stack(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                               uint64_t ticks) {
  if (crumb->frame_count == 0) return 0;
  const ms_placed *known = walk_slot(thread, crumb);
  if (known != NULL && stands_here(known, writer, crumb->walk)) return known->place;
  return place_new_stack(thread, writer, crumb, ticks);
}

MS_INLINE uint32_t needs_at_most(const ms_crumb *crumb, const crumb_sizes *sizes) {
  uint32_t bytes = sizes->words * 8;
  if (crumb->queue_serial) bytes += sizeof(ms_queue_record) + MS_LABEL_LIMIT;
  if (crumb->frame_count) bytes += sizeof(ms_stack_record) + 8u * crumb->frame_count;
  return bytes;
}

MS_APART bool drop(ms_log *log, ms_kind kind) {
  atomic_fetch_add_explicit((_Atomic uint64_t *)&log->header->progress.dropped[kind], 1,
                            memory_order_relaxed);
  return false;
}

/// Returns the reference to the stack at `place`.
MS_INLINE ms_stack_place stack_place(const ms_writer *writer, uint16_t place) {
  if (place == 0) return (ms_stack_place){NULL, 0, 0};
  const uint64_t *record = (const uint64_t *)(writer->chunk + place * 8u);
  return (ms_stack_place){record, writer->tag, writer->seed + place * 8u};
}

MS_INLINE void keep_anchored(ms_log *log, uint64_t ticks) {
  uint64_t anchored = atomic_load_explicit(&log->anchored_at, memory_order_relaxed);
  if (__builtin_expect(ticks - anchored > log->anchor_every, 0)) {  // true also after a reset of the counter
    ms_anchor_refresh(log, ticks);
  }
}

/// Appends a crumb. Stores the position of its stack in `*placed`, unless the pointer is NULL.
MS_INLINE bool append(ms_log_thread *thread, const ms_crumb *crumb, ms_stack_place *placed) {
  ms_log *log = thread->log;
  uint64_t ticks = crumb->ticks ? crumb->ticks : ms_ticks(log);
  ms_kind kind = (ms_kind)(crumb->kind % MS_KINDS);
  ms_pool pool = pool_of_kind[kind];
  ms_writer *writer = &thread->writers[pool][thread->depth - 1];
  crumb_sizes sizes = sizes_of(crumb);
  uint32_t needs = needs_at_most(crumb, &sizes);
  if (__builtin_expect(writer->used + needs > writer->limit, 0) &&
      !ms_chunk_make_room(thread, writer, pool, needs)) {
    return drop(log, kind);
  }
  uint16_t queue = place_queue(writer, crumb->queue_serial, crumb->queue_label);
  uint16_t stack = place_stack(thread, writer, crumb, ticks);
  if (placed) *placed = stack_place(writer, stack);
  if (__builtin_expect(ms_crc_is_an_instruction(), 1)) {
    write_crumb(thread, writer, crumb, &sizes, ticks, queue, stack, true);
  } else {
    write_crumb(thread, writer, crumb, &sizes, ticks, queue, stack, false);
  }
  keep_anchored(log, ticks);
  return true;
}

bool ms_log_append(ms_log_thread *thread, const ms_crumb *crumb) {
  return append(thread, crumb, NULL);
}

ms_stack_place ms_log_append_stack(ms_log_thread *thread, const ms_crumb *crumb) {
  ms_stack_place placed = {NULL, 0, 0};
  append(thread, crumb, &placed);
  return placed;
}

MS_INLINE ms_crumb note_of(ms_note_shape shape, const void *category, const void *message,
                           uint64_t queue_serial, const char *queue_label) {
  return (ms_crumb){
      .category = category,
      .message = message,
      .category_size = shape.category_size,
      .message_size = shape.message_size,
      .kind = shape.kind,
      .level = shape.level,
      .flags = shape.flags,
      .queue_serial = queue_serial,
      .queue_label = queue_label,
  };
}

MS_INLINE bool append_last(ms_log_thread *thread, const ms_crumb *crumb) {
  bool left = append(thread, crumb, NULL);
  ms_thread_leave(thread);
  return left;
}

bool ms_log_note(ms_log *log, ms_note_shape shape, const void *category, const void *message,
                 uint64_t queue_serial, const char *queue_label) {
  ms_log_thread *thread = ms_thread_enter(log, (ms_kind)(shape.kind % MS_KINDS));
  if (__builtin_expect(thread == NULL, 0)) return false;
  ms_crumb crumb = note_of(shape, category, message, queue_serial, queue_label);
  return append_last(thread, &crumb);
}

bool ms_log_note_with(ms_log_thread *thread, ms_note_shape shape, const void *category,
                      const void *message, uint64_t queue_serial, const char *queue_label,
                      const uintptr_t *frames, uint32_t frame_count, uint32_t walk_end,
                      uint64_t walk) {
  ms_crumb crumb = note_of(shape, category, message, queue_serial, queue_label);
  crumb.frames = frames;
  crumb.frame_count = (uint16_t)frame_count;
  crumb.walk_end = (uint8_t)walk_end;
  crumb.walk = walk;
  return append_last(thread, &crumb);
}

bool ms_log_note_of(ms_log_thread *thread, ms_note_shape shape, ms_data_shape data,
                    const void *category, const void *message, uint64_t queue_serial,
                    const char *queue_label) {
  ms_crumb crumb = note_of(shape, category, message, queue_serial, queue_label);
  crumb.data = thread->data[thread->depth - 1];
  crumb.data_size = data.size;
  crumb.data_count = data.count;
  return append_last(thread, &crumb);
}

ms_log_thread *ms_log_enter(ms_log *log, ms_kind kind) { return ms_thread_enter(log, kind); }

void ms_log_leave(ms_log_thread *thread) { ms_thread_leave(thread); }

uintptr_t *ms_log_frames(ms_log_thread *thread) { return thread->frames[thread->depth - 1]; }

void *ms_log_room(ms_log_thread *thread) { return thread->depth == 1 ? thread->room : NULL; }

uint8_t *ms_log_data(ms_log_thread *thread) { return thread->data[thread->depth - 1]; }

ms_log_bracket ms_log_enter_to_walk(ms_log *log, ms_kind kind) {
  ms_log_thread *thread = ms_thread_enter(log, kind);
  if (thread == NULL) return (ms_log_bracket){NULL, NULL, NULL};
  return (ms_log_bracket){thread, ms_log_frames(thread), ms_log_room(thread)};
}

ms_log_data_bracket ms_log_enter_for_data(ms_log *log, ms_kind kind) {
  ms_log_thread *thread = ms_thread_enter(log, kind);
  if (thread == NULL) return (ms_log_data_bracket){NULL, NULL};
  return (ms_log_data_bracket){thread, ms_log_data(thread)};
}

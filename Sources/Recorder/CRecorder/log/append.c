// The hot path of every crumb.

#include "brief.h"
#include "record_words.h"

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

// --- Records to which crumbs refer

MS_INLINE ms_placed *queue_slot(ms_writer *writer, uint64_t serial) {
  return &writer->queues[serial % MS_QUEUE_CACHE];
}

static uint16_t write_queue(ms_writer *writer, uint64_t serial, const char *label) {
  if (label == NULL) label = "";
  size_t size = ms_cut_text(label, strnlen(label, MS_LABEL_LIMIT + 4), MS_LABEL_LIMIT);
  uint32_t words = ms_words_of(sizeof(ms_queue_record) + size);
  ms_queue_record *record = (ms_queue_record *)ms_writer_begin(writer, words, MS_RECORD_QUEUE);
  record->serial = serial;
  record->label_size = (uint32_t)size;
  record->reserved = 0;
  memcpy(record + 1, label, size);
  uint16_t place = ms_writer_commit(writer, &record->head, words);
  *queue_slot(writer, serial) = (ms_placed){serial, (uint32_t)writer->generation, place};
  return place;
}

static uint16_t write_stack(ms_writer *writer, const ms_crumb *crumb) {
  uint32_t words = ms_words_of(sizeof(ms_stack_record)) + crumb->frame_count;
  ms_stack_record *record = (ms_stack_record *)ms_writer_begin(writer, words, MS_RECORD_STACK);
  record->count = crumb->frame_count;
  record->end = crumb->walk_end;
  record->first_is_instruction = crumb->first_is_instruction;
  record->reserved = 0;
  for (uint32_t i = 0; i < crumb->frame_count; i++) record->frames[i] = crumb->frames[i];
  return ms_writer_commit(writer, &record->head, words);
}

// --- The crumb

static ms_crumb_sizes sizes_of(const ms_crumb *crumb) {
  ms_crumb_sizes sizes;
  sizes.category = (uint32_t)ms_cut_text(crumb->category, crumb->category_size, MS_CATEGORY_LIMIT);
  sizes.message = (uint32_t)ms_cut_text(crumb->message, crumb->message_size, MS_MESSAGE_LIMIT);
  sizes.data = crumb->data_size;
  sizes.words = sizeof(ms_crumb_record) / 8 + (crumb->flags & MS_CRUMB_HAS_HOP ? 1 : 0) +
                ms_words_of(sizes.category) + ms_words_of(sizes.message) + ms_words_of(sizes.data);
  return sizes;
}

/// Packs the word of a crumb's record that contains its sizes, its level and its flags.
MS_INLINE uint64_t sizes_word(uint32_t message, uint32_t data, uint32_t category, uint8_t count,
                              uint8_t level, uint8_t flags) {
  return message | (uint64_t)data << 16 | (uint64_t)category << 32 | (uint64_t)count << 40 |
         (uint64_t)level << 48 | (uint64_t)flags << 56;
}

/// Returns the flag of a crumb that a signal handler recorded while its thread was recording another crumb.
MS_INLINE uint8_t interrupting(const ms_log_thread *thread) {
  return thread->depth > 1 ? MS_CRUMB_INTERRUPTING : 0;
}

/// Writes a crumb with its own texts. Apart, because an unoptimized build would keep this function's variables on the
/// stack of each caller, and a signal handler may have little stack.
MS_APART void write_crumb(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                           const ms_crumb_sizes *sizes, uint64_t ticks, uint16_t queue,
                           uint16_t stack) {
  uint8_t flags = (uint8_t)(crumb->flags |
                            (sizes->message < crumb->message_size ? MS_CRUMB_MESSAGE_CUT : 0) |
                            interrupting(thread));
  ms_kind kind = (ms_kind)crumb->kind;
  ms_word_writer out = ms_begin_crumb(thread, writer, MS_RECORD_CRUMB, sizes->words, kind, ticks, queue, stack, false);
  ms_put_word(&out, sizes_word(sizes->message, sizes->data, sizes->category, crumb->data_count,
                            crumb->level, flags));
  if (flags & MS_CRUMB_HAS_HOP) ms_put_word(&out, crumb->hop);
  ms_put_text(&out, crumb->category, sizes->category);
  ms_put_text(&out, crumb->message, sizes->message);
  ms_put_text(&out, crumb->data, sizes->data);
  ms_end_crumb(writer, &out, kind);
}

static uint16_t place_queue(ms_writer *writer, uint64_t serial, const char *label) {
  if (serial == 0) return 0;
  ms_placed *known = queue_slot(writer, serial);
  if (ms_stands_here(known, writer, serial)) return known->place;
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
static uint16_t place_new_stack(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb,
                                  uint64_t ticks) {
  ms_log *log = thread->log;
  uint64_t key = ms_crc(crumb->walk_end, (const uint64_t *)crumb->frames, crumb->frame_count);
  ms_placed *known = &thread->stacks[key % MS_STACK_CACHE];
  bool outermost = thread->depth == 1;
  if (outermost && ms_stands_here(known, writer, key) && is_stack_at(writer, known->place, crumb)) {
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

static uint16_t place_stack(ms_log_thread *thread, ms_writer *writer, const ms_crumb *crumb, uint64_t ticks) {
  if (crumb->frame_count == 0) return 0;
  const ms_placed *known = walk_slot(thread, crumb);
  if (known != NULL && ms_stands_here(known, writer, crumb->walk)) return known->place;
  return place_new_stack(thread, writer, crumb, ticks);
}

static uint32_t needs_at_most(const ms_crumb *crumb, const ms_crumb_sizes *sizes) {
  // A template and a brief crumb share the texts and the data, and need at most three more words of padding and sizes.
  uint32_t bytes = sizes->words * 8;
  if (bytes <= MS_BRIEF_LIMIT) bytes += sizeof(ms_template_record) + 3 * 8;
  if (crumb->queue_serial) bytes += sizeof(ms_queue_record) + MS_LABEL_LIMIT;
  if (crumb->frame_count) bytes += sizeof(ms_stack_record) + 8u * crumb->frame_count;
  return bytes;
}

static bool drop(ms_log *log, ms_kind kind) {
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

MS_INLINE ms_writer *writer_of(ms_log_thread *thread, ms_kind kind) {
  return &thread->writers[pool_of_kind[kind]][thread->depth - 1];
}

/// Appends a crumb after the records to which it refers, those that are not in the chunk. Stores the position of its
/// stack in `*placed`, unless the pointer is NULL.
MS_APART bool append_with_references(ms_log_thread *thread, const ms_crumb *crumb, ms_stack_place *placed) {
  ms_log *log = thread->log;
  uint64_t ticks = crumb->ticks ? crumb->ticks : ms_ticks(log);
  ms_kind kind = (ms_kind)(crumb->kind % MS_KINDS);
  ms_writer *writer = writer_of(thread, kind);
  ms_crumb_sizes sizes = sizes_of(crumb);
  uint32_t needs = needs_at_most(crumb, &sizes);
  if (writer->used + needs > writer->limit && !ms_chunk_make_room(thread, writer, pool_of_kind[kind], needs)) {
    return drop(log, kind);
  }
  uint16_t queue = place_queue(writer, crumb->queue_serial, crumb->queue_label);
  uint16_t stack = place_stack(thread, writer, crumb, ticks);
  if (placed) *placed = stack_place(writer, stack);
  ms_crumb_place place = {ticks, queue, stack};
  bool is_brief = ms_brief_is_possible(thread, &sizes) && ms_append_brief(thread, writer, crumb, &sizes, &place);
  if (!is_brief) write_crumb(thread, writer, crumb, &sizes, ticks, queue, stack);
  keep_anchored(log, ticks);
  return true;
}

/// Appends a crumb if all records to which it refers are in the chunk, which is nearly always so. Otherwise, returns
/// false and appends nothing.
MS_INLINE bool append_alone(ms_log_thread *thread, const ms_crumb *crumb, ms_stack_place *placed) {
  if (__builtin_expect(thread->depth != 1 || !ms_crc_is_an_instruction(), 0)) return false;
  ms_kind kind = (ms_kind)(crumb->kind % MS_KINDS);
  ms_writer *writer = writer_of(thread, kind);
  ms_crumb_place place = {0};
  if (crumb->queue_serial != 0) {
    const ms_placed *queue = queue_slot(writer, crumb->queue_serial);
    if (__builtin_expect(!ms_stands_here(queue, writer, crumb->queue_serial), 0)) return false;
    place.queue = queue->place;
  }
  if (crumb->frame_count != 0) {
    const ms_placed *walk = walk_slot(thread, crumb);
    if (__builtin_expect(walk == NULL || !ms_stands_here(walk, writer, crumb->walk), 0)) return false;
    place.stack = walk->place;
  }
  place.ticks = crumb->ticks ? crumb->ticks : ms_ticks(thread->log);
  if (__builtin_expect(!ms_append_known_brief(thread, writer, crumb, &place), 0)) return false;
  if (placed) *placed = stack_place(writer, place.stack);
  keep_anchored(thread->log, place.ticks);
  return true;
}

MS_INLINE bool append(ms_log_thread *thread, const ms_crumb *crumb, ms_stack_place *placed) {
  if (__builtin_expect(append_alone(thread, crumb, placed), 1)) return true;
  return append_with_references(thread, MS_COPY_OF(*crumb), placed);
}

bool ms_log_append(ms_log_thread *thread, const ms_crumb *crumb) {
  return append(thread, crumb, NULL);
}

ms_stack_place ms_log_append_stack(ms_log_thread *thread, const ms_crumb *crumb) {
  ms_stack_place placed = {NULL, 0, 0};
  append(thread, crumb, &placed);
  return placed;
}

MS_INLINE ms_crumb note_of(ms_note_shape shape, bool has_constant_texts, const void *category, const void *message,
                           uint64_t queue_serial, const char *queue_label) {
  return (ms_crumb){
      .category = category,
      .message = message,
      .category_size = shape.category_size,
      .message_size = shape.message_size,
      .kind = shape.kind,
      .level = shape.level,
      .has_constant_texts = has_constant_texts,
      .flags = shape.flags & (uint8_t)~MS_CRUMB_HAS_HOP,
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
  ms_crumb crumb = note_of(shape, true, category, message, queue_serial, queue_label);
  return append_last(thread, &crumb);
}

bool ms_log_note_with(ms_log_thread *thread, ms_note_shape shape, const void *category,
                      const void *message, uint64_t queue_serial, const char *queue_label,
                      const uintptr_t *frames, uint32_t frame_count, uint32_t walk_end,
                      uint64_t walk) {
  ms_crumb crumb = note_of(shape, true, category, message, queue_serial, queue_label);
  crumb.frames = frames;
  crumb.frame_count = (uint16_t)frame_count;
  crumb.walk_end = (uint8_t)walk_end;
  crumb.walk = walk;
  return append_last(thread, &crumb);
}

bool ms_log_note_of(ms_log_thread *thread, ms_note_shape shape, const ms_data *data,
                    const void *category, const void *message, uint64_t queue_serial,
                    const char *queue_label) {
  ms_crumb crumb = note_of(shape, false, category, message, queue_serial, queue_label);
  ms_crumb_set_data(&crumb, data);
  return append_last(thread, &crumb);
}

ms_log_thread *ms_log_enter(ms_log *log, ms_kind kind) { return ms_thread_enter(log, kind); }

void ms_log_leave(ms_log_thread *thread) { ms_thread_leave(thread); }

uintptr_t *ms_log_frames(ms_log_thread *thread) { return thread->frames[thread->depth - 1]; }

void *ms_log_room(ms_log_thread *thread) { return thread->depth == 1 ? thread->room : NULL; }

ms_data *ms_log_data(ms_log_thread *thread) {
  uint32_t level = thread->depth - 1;
  ms_data *data = &thread->encoded[level];
  data->bytes = thread->data[level];
  data->values = level == 0 ? ms_brief_begin(thread) : (ms_brief_values){.next = NULL};
  data->size = data->context_size = 0;
  data->context_key = 0;
  data->count = 0;
  data->is_cut = false;
  return data;
}

ms_log_bracket ms_log_enter_to_walk(ms_log *log, ms_kind kind) {
  ms_log_thread *thread = ms_thread_enter(log, kind);
  if (thread == NULL) return (ms_log_bracket){NULL, NULL, NULL};
  return (ms_log_bracket){thread, ms_log_frames(thread), ms_log_room(thread)};
}

ms_log_data_bracket ms_log_enter_for_data(ms_log *log, ms_kind kind) {
  ms_log_thread *thread = ms_thread_enter(log, kind);
  if (thread == NULL) return (ms_log_data_bracket){0};
  return (ms_log_data_bracket){thread, ms_log_data(thread)};
}

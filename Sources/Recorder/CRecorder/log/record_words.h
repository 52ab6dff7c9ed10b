// Writes a record word by word.
#ifndef MAINSTAY_RECORD_WORDS_H
#define MAINSTAY_RECORD_WORDS_H

#include "log_internal.h"

#define MS_INLINE static inline __attribute__((always_inline))
#define MS_APART static __attribute__((noinline))

/// A pointer to a copy of a structure. A function that is called rarely gets a copy, so that the structure itself can
/// stay in registers.
#define MS_COPY_OF(value) ((__typeof__(value)[1]){value})

MS_INLINE uint32_t ms_words_of(size_t bytes) { return (uint32_t)((bytes + 7) / 8); }

/// Increments by a single instruction if the architecture has one, so that a signal handler on the same thread never
/// gets the same number.
MS_INLINE uint32_t ms_next_number(uint32_t *counter) {
#if defined(__x86_64__)
  uint32_t step = 1;
  __asm__ volatile("xaddl %0, %1" : "+r"(step), "+m"(*counter));
  return step + 1;
#else
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
#endif
}

MS_INLINE ms_record_head *ms_writer_begin(ms_writer *writer, uint32_t words, ms_record_type type) {
  ((uint64_t *)(writer->chunk + writer->used))[words - 1] = 0;
  return ms_record_begin(writer->chunk, writer->used, writer->tag, words, type);
}

MS_INLINE uint16_t ms_writer_commit(ms_writer *writer, ms_record_head *head, uint32_t words) {
  ms_record_commit(head, words, writer->seed + writer->used);
  uint16_t place = (uint16_t)(writer->used / 8);
  writer->used += words * 8;
  return place;
}

/// Returns true if the record with this key is in the writer's chunk.
MS_INLINE bool ms_stands_here(const ms_placed *placed, const ms_writer *writer, uint64_t key) {
  return placed->key == key && placed->generation == (uint32_t)writer->generation &&
         placed->place != 0;
}

/// A cursor at a record's next word, with the checksum of the words before it if `sums` (a compile-time constant).
typedef struct {
  uint64_t *to;
  uint64_t sum;
  bool sums;
  ms_record_head *head;
  uint32_t number;
  uint32_t words;
} ms_word_writer;

MS_INLINE void ms_put_word(ms_word_writer *out, uint64_t word) {
  *out->to++ = word;
  if (out->sums) out->sum = ms_crc_word(out->sum, word);
}

/// Writes text in whole words, the last one padded with zeros.
MS_INLINE void ms_put_text(ms_word_writer *out, const void *bytes, size_t size) {
  const uint8_t *text = bytes;
  uint64_t word;
  for (; size >= 8; size -= 8, text += 8) {
    memcpy(&word, text, 8);
    ms_put_word(out, word);
  }
  if (size > 0) ms_put_word(out, ms_last_word(text, size));
}

/// Begins a crumb's record and writes its time, thread, queue and stack. If `sums`, the checksum is computed during
/// the writes, so that no word is read back.
MS_INLINE ms_word_writer ms_begin_crumb(ms_log_thread *thread, ms_writer *writer, ms_record_type type, uint32_t words,
                                        ms_kind kind, uint64_t ticks, uint16_t queue, uint16_t stack, bool sums) {
  ms_record_head *head = (ms_record_head *)(writer->chunk + writer->used);
  uint32_t number = ms_next_number(&thread->number);
  uint64_t first = ms_record_first_word(writer->tag, words, type, kind);
  ms_record_store_first(head, first);
  ms_word_writer out = {(uint64_t *)(head + 1), writer->seed + writer->used, sums, head, number, words};
  if (sums) out.sum = ms_crc_word(ms_crc_word(out.sum, first), number);
  // model: record-payload
  ms_put_word(&out, ticks);
  ms_put_word(&out, thread->ordinal | (uint64_t)queue << 32 | (uint64_t)stack << 48);
  return out;
}

MS_INLINE void ms_end_crumb(ms_writer *writer, ms_word_writer *out, ms_kind kind) {
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

#endif

// The crash chunk: only handlers write to it, concurrently, each into the range that it reserved.

#include <string.h>

#include "log_internal.h"

static uint32_t claim(ms_log *log, uint32_t size) {
  uint32_t used = atomic_load_explicit(&log->crash_used, memory_order_relaxed);
  do {
    if (size > log->crash_size - used) return 0;
  } while (!atomic_compare_exchange_weak_explicit(&log->crash_used, &used, used + size,
                                                  memory_order_relaxed, memory_order_relaxed));
  return used;
}

void *ms_crash_begin(ms_log *log, ms_crash_record_type type, uint32_t crash, size_t size) {
  uint32_t words = (uint32_t)((size + 7) / 8);
  if (words > UINT16_MAX || !ms_log_visit(log)) return NULL;
  uint32_t place = claim(log, words * 8);
  if (place == 0) {
    ms_log_unvisit(log);
    return NULL;
  }
  uint32_t tag = ms_chunk_tag(log->salt, log->crash_generation);
  ms_record_head *head =
      ms_record_begin(log->crash, place, tag, words, (ms_record_type)type);
  head->number = crash;
  head->sum = 0;
  uint64_t *payload = (uint64_t *)(head + 1);
  for (uint32_t i = 0; i + 2 < words; i++) payload[i] = 0;
  return head;
}

void ms_crash_commit(ms_log *log, void *record) {
  uint32_t place = (uint32_t)((uint8_t *)record - log->crash);
  // If the file was truncated meanwhile, the header reads as zeros.
  uint32_t words = ((ms_record_head *)record)->words;
  if (words < sizeof(ms_record_head) / 8) words = sizeof(ms_record_head) / 8;
  ms_record_commit(record, words, ms_record_seed(log->salt, log->crash_generation, place));
  ms_log_unvisit(log);
}

void ms_crash_make_room(ms_log *log) {
  uint32_t used = atomic_load_explicit(&log->crash_used, memory_order_relaxed);
  if (used < log->crash_size / 2 || !ms_log_visit(log)) return;
  // Clears the old records, because a reader would read their remains as the end of a later record.
  memset(log->crash + sizeof(ms_chunk_header), 0, used - sizeof(ms_chunk_header));
  ms_log_unvisit(log);
  atomic_store_explicit(&log->crash_used, sizeof(ms_chunk_header), memory_order_relaxed);
}

void ms_log_note_handler(ms_log *log, ms_handler_state state) {
  if (!ms_log_visit(log)) return;
  __atomic_store_n(&ms_log_last_words(log)->has_handler, state, __ATOMIC_RELAXED);
  ms_log_unvisit(log);
}

uint32_t ms_crash_ordinal(const ms_log *log) {
  const thread_entry *entry = &ms_mine[log->index];
  return ms_is_entry_of(entry, log) ? entry->thread->ordinal : 0;
}

void ms_crash_note_modules(ms_log *log, const uintptr_t *frames, uint32_t count) {
  if (!ms_log_visit(log)) return;
  ms_modules_note(log, frames, count, ms_ticks(log));
  ms_log_unvisit(log);
}

// Reads stacks back from the log's memory.

#include "log_internal.h"

enum { stack_words_at_most = sizeof(ms_stack_record) / 8 + MS_FRAME_LIMIT };

/// Copies a record that another thread may be overwriting; the checksum detects that.
__attribute__((no_sanitize("thread"))) static uint32_t copy_record(const uint64_t *record,
                                                                   uint64_t *copy) {
  copy[0] = __atomic_load_n(record, __ATOMIC_ACQUIRE);
  uint32_t words = (uint16_t)(copy[0] >> 32);
  if (words < sizeof(ms_stack_record) / 8 || words > stack_words_at_most) return 0;
  for (uint32_t i = 1; i < words; i++) {
    copy[i] = __atomic_load_n(record + i, __ATOMIC_RELAXED);
  }
  return words;
}

uint32_t ms_log_stack_at(ms_stack_place place, uintptr_t *frames, uint32_t room) {
  if (place.record == NULL) return 0;
  ms_log *log = ms_log_visit_at(place.record);
  if (log == NULL) return 0;
  uint64_t copy[stack_words_at_most];
  uint32_t words = copy_record(place.record, copy);
  ms_log_unvisit(log);
  if (words == 0) return 0;
  const ms_stack_record *stack = (const ms_stack_record *)copy;
  if (stack->head.tag != place.tag || stack->head.type != MS_RECORD_STACK ||
      stack->count > words - sizeof(ms_stack_record) / 8 ||
      stack->head.sum != ms_record_sum(&stack->head, words, place.seed)) {
    return 0;
  }
  uint32_t count = stack->count < room ? stack->count : room;
  for (uint32_t i = 0; i < count; i++) frames[i] = (uintptr_t)stack->frames[i];
  return count;
}

// How a record is begun and committed, so that a reader never takes a part of it for the whole.
#ifndef MAINSTAY_RECORD_H
#define MAINSTAY_RECORD_H

#include "log_internal.h"

static inline uint64_t ms_record_first_word(uint32_t tag, uint32_t words, ms_record_type type,
                                            ms_kind kind) {
  return (uint64_t)tag | (uint64_t)words << 32 | (uint64_t)type << 48 | (uint64_t)kind << 56;
}

/// Says that a record begins here, before any other byte of it is written.
static inline void ms_record_store_first(ms_record_head *head, uint64_t first) {
  // model: record-first
  __atomic_store_n((uint64_t *)head, first, __ATOMIC_RELAXED);
  ms_order();
}

/// Begins a record that is no crumb. Signal safety: safe.
ms_record_head *ms_record_begin(uint8_t *chunk, uint32_t used, uint32_t tag, uint32_t words,
                                ms_record_type type);

/// Commits it: all of its words are written. Signal safety: safe.
void ms_record_commit(ms_record_head *head, uint32_t words, uint32_t seed);

#endif

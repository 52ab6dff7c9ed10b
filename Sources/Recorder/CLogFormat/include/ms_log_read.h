// The checks of a reader before it trusts the bytes of a log. All are signal-safe, because they only load.
#ifndef MAINSTAY_LOG_READ_H
#define MAINSTAY_LOG_READ_H

#include "ms_log_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Orders two reads of a log that is being written: the second read returns no older values than the first, also on
/// processors that reorder loads.
static inline void ms_read_in_order(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

/// Returns true if a chunk's header is complete and matches its checksum.
static inline bool ms_chunk_is_whole(const ms_chunk_header *header) {
  return header->magic == MS_CHUNK_MAGIC && header->generation != MS_GENERATION_NONE &&
         header->sum == ms_chunk_header_sum(header, header->generation);
}

/// Returns true if a chunk is empty because it was never begun, or because its header is being rewritten.
static inline bool ms_chunk_is_empty(const ms_chunk_header *header) {
  return header->magic == 0 || header->generation == MS_GENERATION_NONE;
}

typedef enum {
  MS_RECORD_WHOLE,
  MS_RECORD_TORN,  ///< begun in this generation of the chunk, but incomplete
  MS_RECORD_UNTAGGED,  ///< complete except for its tag: damaged
  MS_RECORD_NONE,  ///< no record of this generation begins here
} ms_record_state;

/// Checks the record at `offset` of a chunk of `size` bytes.
static inline ms_record_state ms_record_at(const uint8_t *chunk, uint32_t size, uint32_t offset,
                                           uint32_t tag, uint64_t salt, uint64_t generation) {
  ms_record_head head;
  if (offset + sizeof head > size) return MS_RECORD_NONE;
  memcpy(&head, chunk + offset, sizeof head);
  bool has_tag = head.tag == tag;
  ms_record_state broken = has_tag ? MS_RECORD_TORN : MS_RECORD_NONE;
  if (head.words < 2 || head.words > MS_RECORD_WORDS_LIMIT ||
      (uint64_t)head.words * 8 > size - offset) {
    return broken;
  }
  uint64_t sum = ms_record_sum_tagged((const ms_record_head *)(chunk + offset), head.words, tag,
                                      ms_record_seed(salt, generation, offset));
  if (sum != head.sum) return broken;
  return has_tag ? MS_RECORD_WHOLE : MS_RECORD_UNTAGGED;
}

/// Returns the number of bytes that the search for complete records may checksum without success. Damaged chunks need
/// few; a crafted chunk with a record header at every word would otherwise take hours.
static inline uint64_t ms_search_allowance(uint32_t size) { return (uint64_t)size * 16; }

/// Returns the offset of the next complete record at or after `offset`; `size` if the chunk has none, or if
/// `*allowance` is used up first.
static inline uint32_t ms_next_record(const uint8_t *chunk, uint32_t size, uint32_t offset,
                                      uint32_t tag, uint64_t salt, uint64_t generation,
                                      uint64_t *allowance) {
  for (; offset + sizeof(ms_record_head) <= size; offset += 8) {
    ms_record_head head;
    memcpy(&head, chunk + offset, sizeof head);
    if (head.tag != tag) continue;
    if (ms_record_at(chunk, size, offset, tag, salt, generation) == MS_RECORD_WHOLE) return offset;
    uint64_t summed = (uint64_t)head.words * 8;
    if (summed > *allowance) return size;
    *allowance -= summed;
  }
  return size;
}

#ifdef __cplusplus
}
#endif
#endif

// A cache of stack walks. An entry contains the stack words that the walk read, and is valid while these words are
// unchanged. See docs/internals/stack-walk.md.
#ifndef MAINSTAY_WALK_MEMORY_H
#define MAINSTAY_WALK_MEMORY_H

#include "ms_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MS_REMEMBERED_WALKS = 4,
  MS_REMEMBERED_FRAMES = 32,  ///< the length of the longest cached walk
  MS_REMEMBERED_LINKS = 40,
};

/// Two adjacent words of a stack.
typedef struct {
  uintptr_t low;
  uintptr_t high;
} __attribute__((aligned(16))) ms_stack_pair;

/// The result of a walk.
typedef struct {
  const uintptr_t *frames;
  uint64_t id;  ///< two walks of this thread with the same id have the same frames; 0: not cached
  uint32_t count;
  ms_walk_end end;
} ms_walked;

/// A cached walk, with the words that it read, in reading order.
typedef struct {
  uintptr_t begin;  ///< the frame pointer of the first frame; 0: empty
  uint64_t mark;    ///< a hash of the last walk for this entry
  uint64_t lone;  ///< bit n is set if only the high word of link n was read
  uint32_t capacity;
  uint32_t skip;
  uint32_t link_count;
  uint32_t callers;    ///< the number of async callers in `frames`
  uintptr_t context_at;  ///< the address from which the async context is read; 0: not in a task
  ms_walked walked;
  uintptr_t at[MS_REMEMBERED_LINKS];  ///< the addresses of the low words
  ms_stack_pair links[MS_REMEMBERED_LINKS];
  uintptr_t frames[MS_REMEMBERED_FRAMES];
} ms_remembered_walk;

/// The walk cache of one thread. All zeros is an empty cache.
typedef struct {
  uint64_t last_id;
  ms_walked unknown;  ///< the last walk that was not cached
  ms_remembered_walk walks[MS_REMEMBERED_WALKS];
} ms_walk_memory;

/// Walks like `ms_walk_here`, but returns the cached result if a walk began here before and every word that it read
/// is unchanged. The result is in `memory`, its frames are in `memory` or `frames`; both stay valid until the next
/// walk. Walks with different `key`s are cached separately.
///
/// Signal safety: as `ms_walk_here`; a handler needs a separate `memory`.
const ms_walked *ms_walk_remembering(ms_walk_memory *memory, uintptr_t key, uintptr_t *frames,
                                     uint32_t capacity, uint32_t skip);

#ifdef __cplusplus
}
#endif
#endif

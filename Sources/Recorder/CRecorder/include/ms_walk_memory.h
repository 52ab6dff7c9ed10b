// Walks remembered with every word of the stack they depended on. docs/internals/stack-walk.md explains how.
#ifndef MAINSTAY_WALK_MEMORY_H
#define MAINSTAY_WALK_MEMORY_H

#include "ms_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MS_REMEMBERED_WALKS = 4,
  MS_REMEMBERED_FRAMES = 32,  ///< of the longest walk that is remembered
  MS_REMEMBERED_LINKS = 40,
};

/// Two neighbouring words of a stack.
typedef struct {
  uintptr_t low;
  uintptr_t high;
} __attribute__((aligned(16))) ms_stack_pair;

/// The result of a walk.
typedef struct {
  const uintptr_t *frames;
  uint64_t id;  ///< two walks of this thread with the same id have the same frames; 0: none
  uint32_t count;
  ms_walk_end end;
} ms_walked;

/// A walk, and the words that it read, in their order.
typedef struct {
  uintptr_t begin;  ///< the frame it began in; 0: nothing is remembered
  uint64_t mark;    ///< of the last walk that was to be remembered here
  uint64_t lone;  ///< a bit for each link of which only the high word was read
  uint32_t capacity;
  uint32_t skip;
  uint32_t link_count;
  uint32_t callers;    ///< how many of the frames are async callers
  uintptr_t context_at;  ///< where the context that leads to them is read; 0: not in a task
  ms_walked walked;
  uintptr_t at[MS_REMEMBERED_LINKS];  ///< where the low words stand
  ms_stack_pair links[MS_REMEMBERED_LINKS];
  uintptr_t frames[MS_REMEMBERED_FRAMES];
} ms_remembered_walk;

/// One thread's own. All zeros remember nothing.
typedef struct {
  uint64_t last_id;
  ms_walked unknown;  ///< the last walk that was not remembered
  ms_remembered_walk walks[MS_REMEMBERED_WALKS];
} ms_walk_memory;

/// Like `ms_walk_here`, but returns the remembered result if a walk began here before and every word that it read is
/// unchanged. The result is in `memory`, its frames are in `memory` or `frames`; both stay valid until the next walk.
/// Walks with different `key`s are remembered separately.
///
/// Signal safety: as `ms_walk_here`; a handler needs a memory of its own.
const ms_walked *ms_walk_remembering(ms_walk_memory *memory, uintptr_t key, uintptr_t *frames,
                                     uint32_t capacity, uint32_t skip);

#ifdef __cplusplus
}
#endif
#endif

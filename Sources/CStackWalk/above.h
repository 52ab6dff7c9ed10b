// Walks that begin in the caller of a function that knows its own frame pointer.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_ABOVE_H
#define MAINSTAY_WALK_ABOVE_H

#include "CStackWalk.h"
#include "follow.h"

MS_WALKS_BEGIN

// The walk that begins in the caller of a function with this frame pointer: [frame] is the caller's
// frame pointer, [frame + 8] where it returns to, and the caller's own frame begins above that.
static MS_INLINE ms_walk begin_above(uintptr_t frame, uintptr_t *frames, uint32_t capacity,
                                     uint32_t skip) {
  return (ms_walk){
      .pc = word_at(frame + 8), .sp = frame + 16, .rbp = word_at(frame), .frames = frames,
      .next = -(int64_t)skip, .capacity = capacity, .stack = ms_stack_unpack(ms_stack_remembered),
      .first_sp = frame + 16, .first = -(int64_t)skip};
}

/// Walks from the caller of the function with this frame pointer, by rules.
uint32_t ms_walk_above(uintptr_t frame, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                       ms_walk_end *end) __attribute__((visibility("hidden")));

MS_WALKS_END

#endif

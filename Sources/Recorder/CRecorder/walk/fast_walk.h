// The hot loop: steps from frame to frame by cached rules, without function calls.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_FOLLOW_H
#define MAINSTAY_WALK_FOLLOW_H

#include "unwind_step.h"

MS_WALKS_BEGIN

static MS_INLINE void write_frame(ms_walk *walk, bool writing) {
  if (writing) walk->frames[walk->next] = walk->pc;
  walk->next++;
}

/// Walks as far as cached rules and the known stack range allow, until `next` equals `limit`. The frame at which the
/// walk stops is already written.
static MS_INLINE obstacle follow_to(ms_walk *walk, int64_t limit, bool writing) {
  while (walk->next < limit) {
    write_frame(walk, writing);
    // Each frame must lie above the previous frame and inside the stack: the room above the frame must shrink, and a
    // single unsigned comparison checks both conditions.
    uintptr_t last = walk->stack.high - 16;
    uintptr_t room = last - (walk->sp - 16);
    // A branch selects the step instead of the rule's fields, so the processor can speculate along the chain of frame
    // pointers before the cache entry is loaded.
    while (ms_likely(ms_rule_is_frame(ms_rule_at_home(walk->pc), walk->pc))) {
      uintptr_t frame = walk->fp;
      if (ms_unlikely(last - frame >= room)) return NEEDS_STEPPER;
      room = last - frame;
      walk->pc = ms_without_signature(word_at(frame + 8));
      walk->fp = word_at(frame);
      walk->sp = frame + 16;
      note_left(walk, frame);
      if (walk->next == limit) return OUT_OF_ROOM;
      write_frame(walk, writing);
    }
    uintptr_t pc = walk->pc;
    ms_entry entry = ms_rule_at_home(pc);
    if (ms_unlikely(!ms_rule_is_for(entry, pc, 0)) && !ms_rule_look_up(pc, &entry)) {
      return UNKNOWN_RULE;
    }
    obstacle obstacle = leave(walk, entry ^ ms_rule_rotated(pc), ms_rule_cfa_offset(entry));
    if (ms_unlikely(obstacle != GOING_ON)) return obstacle;
  }
  return OUT_OF_ROOM;
}

static MS_INLINE obstacle follow(ms_walk *walk) {
  if (ms_unlikely(walk->next < 0)) {
    obstacle obstacle = follow_to(walk, 0, false);
    if (obstacle != OUT_OF_ROOM) return obstacle;
  }
  return follow_to(walk, walk->capacity, true);
}

MS_WALKS_END

#endif

// The hot loop: from frame to frame by remembered rules, without a call.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_FOLLOW_H
#define MAINSTAY_WALK_FOLLOW_H

#include <ucontext.h>

#include "async.h"
#include "rule.h"
#include "stack_memory.h"

MS_WALKS_BEGIN

/// A walk under way: a frame that is still to be written, and all a rule needs to leave it.
typedef struct {
  uintptr_t pc;  // an address a call returns to
  uintptr_t sp;
  uintptr_t rbp;
  uintptr_t *frames;
  int64_t next;  // where in `frames` the next goes; those below zero are left out
  int64_t capacity;
  ms_stack stack;
  uintptr_t context_at;  // where the context of the innermost async function stands; 0: none was met
  uintptr_t context;     // the context itself, where it was had from registers; else 0
  // Where the walk began, to begin again with all registers: a context, or a caller's frame.
  const ucontext_t *interrupted;
  uintptr_t first_sp;
  int64_t first;
} ms_walk;

/// What keeps `follow` from going on.
typedef enum {
  GOING_ON,
  AT_END,       // the outermost frame was written
  OUT_OF_ROOM,
  OFF_STACK,    // the stack pointer itself is outside
  UNKNOWN_RULE,
  NEEDS_STEPPER,    // a signal's frame, or the caller may lie outside the known range
  NEEDS_REGISTERS,  // a rule that needs more than sp and rbp
} obstacle;

static uintptr_t word_at(uintptr_t address) { return *(const uintptr_t *)address; }

/// Notes where the context stands, if what was left last is the async function that the task runs.
static MS_INLINE void note_async_frame(ms_walk *walk) {
  enum { context = 24 };  // below where the frame begins
  if (ms_likely(!ms_is_task_return(walk->pc)) || walk->context_at != 0) return;
  bool is_inside = walk->sp <= walk->stack.high && walk->sp - walk->stack.low >= context;
  if (is_inside) walk->context_at = walk->sp - context;
}

// A rule's offset is at least 8 and no slot lies below the frame, or it would be a general rule.
static MS_INLINE obstacle leave_from_rsp(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  uintptr_t cfa = walk->sp + offset;
  if (ms_unlikely(cfa > walk->stack.high)) return NEEDS_STEPPER;
  if (slot != 0) walk->rbp = word_at(cfa - slot);
  walk->pc = word_at(cfa - 8);
  walk->sp = cfa;
  return GOING_ON;
}

static MS_INLINE obstacle leave_from_rbp(ms_walk *walk, uintptr_t cfa, uintptr_t slot) {
  if (ms_unlikely(cfa <= walk->sp || cfa > walk->stack.high || slot > cfa - walk->sp)) {
    return NEEDS_STEPPER;
  }
  if (slot != 0) walk->rbp = word_at(cfa - slot);
  walk->pc = word_at(cfa - 8);
  walk->sp = cfa;
  return GOING_ON;
}

// gcc keeps the caller's stack pointer below the frame pointer of a frame it aligned.
static MS_INLINE obstacle leave_realigned(ms_walk *walk, uintptr_t offset) {
  uintptr_t frame = walk->rbp;
  if (frame < offset || frame - offset < walk->sp || frame > walk->stack.high - 8) {
    return NEEDS_STEPPER;
  }
  uintptr_t cfa = word_at(frame - offset);
  if (cfa < frame + 8) return NEEDS_STEPPER;
  obstacle obstacle = leave_from_rbp(walk, cfa, 0);
  if (obstacle == GOING_ON) walk->rbp = word_at(frame);
  return obstacle;
}

/// `offset` is the rule's CFA offset: on the way from frame to frame every instruction counts, and
/// it can be had from an entry sooner than the rest of the rule.
static MS_INLINE obstacle leave(ms_walk *walk, ms_rule rule, uintptr_t offset) {
  uintptr_t slot = ms_rule_rbp_slot(rule);
  ms_rule_kind kind = ms_rule_kind_of(rule);
  if (ms_likely(kind == MS_RULE_FROM_RSP)) return leave_from_rsp(walk, offset, slot);
  switch (kind) {
    case MS_RULE_FRAME_POINTER: return leave_from_rbp(walk, walk->rbp + 16, 16);
    case MS_RULE_FROM_RBP:
      note_async_frame(walk);
      return leave_from_rbp(walk, walk->rbp + offset, slot);
    case MS_RULE_REALIGNED: return leave_realigned(walk, offset);
    case MS_RULE_OUTERMOST: return AT_END;
    case MS_RULE_SIGNAL: case MS_RULE_UNKNOWN: return NEEDS_STEPPER;
    case MS_RULE_GENERAL: case MS_RULE_FROM_RSP: break;
  }
  return NEEDS_REGISTERS;
}

static MS_INLINE void write_frame(ms_walk *walk, bool writing) {
  if (writing) walk->frames[walk->next] = walk->pc;
  walk->next++;
}

/// Walks as far as remembered rules and the known stack lead, until `next` is `limit`. What it
/// stops at is written already.
static MS_INLINE obstacle follow_to(ms_walk *walk, int64_t limit, bool writing) {
  while (walk->next < limit) {
    write_frame(walk, writing);
    // A frame must lie above the last one and within the stack: then less room is left above it,
    // and one comparison says both.
    uintptr_t last = walk->stack.high - 16;
    uintptr_t room = last - (walk->sp - 16);
    // The branch, not the rule's fields, says what comes next, so the processor goes on up the
    // chain of frame pointers while the entry is still on its way.
    while (ms_likely(ms_rule_is_frame(ms_rule_at_home(walk->pc), walk->pc))) {
      uintptr_t frame = walk->rbp;
      if (ms_unlikely(last - frame >= room)) return NEEDS_STEPPER;
      room = last - frame;
      walk->pc = word_at(frame + 8);
      walk->rbp = word_at(frame);
      walk->sp = frame + 16;
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

// Leaves one frame by its rule.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_LEAVE_H
#define MAINSTAY_WALK_LEAVE_H

#include <ucontext.h>

#include "async.h"
#include "rule.h"
#include "stack_memory.h"

MS_WALKS_BEGIN

/// A walk under way: a frame that is still to be written, and all a rule needs to leave it.
typedef struct {
  uintptr_t pc;  // an address a call returns to
  uintptr_t sp;
  uintptr_t fp;
#if defined(__aarch64__)
  uintptr_t left;  // the frame pointer of the function that was left last
#endif
  uintptr_t *frames;
  int64_t next;  // where in `frames` the next goes; those below zero are left out
  int64_t capacity;
  ms_stack stack;
  uintptr_t context_at;  // where the context of the innermost async function stands; 0: none was met
  uintptr_t context;     // the context itself, where it was had from registers; else 0
  // The start of the walk, for a second try with all registers: a context, or a caller's frame.
  const ucontext_t *interrupted;
  uintptr_t first_sp;
  int64_t first;
} ms_walk;

/// The reason why `follow` stops.
typedef enum {
  GOING_ON,
  AT_END,       // the outermost frame was written
  OUT_OF_ROOM,
  OFF_STACK,    // the stack pointer itself is outside
  UNKNOWN_RULE,
  NEEDS_STEPPER,    // a signal's frame, or the caller may lie outside the known range
  NEEDS_REGISTERS,  // a rule that needs more than sp and fp
} obstacle;

static uintptr_t word_at(uintptr_t address) { return *(const uintptr_t *)address; }

#if defined(__aarch64__)
#include "unwind_step_aarch64.h"
#else
#include "unwind_step_x86_64.h"
#endif

/// Records the context, if the last function was the async function that the task runs.
static MS_INLINE void note_async_frame(ms_walk *walk) {
  if (ms_likely(!ms_is_task_return(walk->pc)) || walk->context_at != 0) return;
  uintptr_t at = context_left(walk);
  bool is_inside = at >= walk->stack.low && at <= walk->stack.high - sizeof at;
  if (is_inside) walk->context_at = at;
}

/// `offset` is the rule's CFA offset: on the way from frame to frame every instruction counts, and
/// it can be had from an entry sooner than the rest of the rule.
static MS_INLINE obstacle leave(ms_walk *walk, ms_rule rule, uintptr_t offset) {
  uintptr_t slot = ms_rule_slot(rule);
  ms_rule_kind kind = ms_rule_kind_of(rule);
  if (ms_likely(kind == MS_RULE_FROM_SP)) return leave_from_sp(walk, offset, slot);
  switch (kind) {
    case MS_RULE_FRAME_POINTER: return leave_from_fp(walk, ms_rule_frame_offset, ms_rule_frame_slot);
    case MS_RULE_FROM_FP:
      note_async_frame(walk);
      return leave_from_fp(walk, offset, slot);
    case MS_RULE_REALIGNED: return leave_otherwise(walk, offset, slot);
    case MS_RULE_OUTERMOST: return AT_END;
    case MS_RULE_SIGNAL: case MS_RULE_UNKNOWN: return NEEDS_STEPPER;
    case MS_RULE_GENERAL: case MS_RULE_FROM_SP: break;
  }
  return NEEDS_REGISTERS;
}

MS_WALKS_END

#endif

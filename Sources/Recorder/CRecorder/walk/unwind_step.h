// Steps from one frame to its caller by a compact rule.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_LEAVE_H
#define MAINSTAY_WALK_LEAVE_H

#include <ucontext.h>

#include "async.h"
#include "rule.h"
#include "stack_memory.h"

MS_WALKS_BEGIN

/// The state of a walk: the current frame, which is not written yet, and the registers that a compact rule needs.
typedef struct {
  uintptr_t pc;  // a return address
  uintptr_t sp;
  uintptr_t fp;
#if defined(__aarch64__)
  uintptr_t left;  // the frame pointer of the last callee
#endif
  uintptr_t *frames;
  int64_t next;  // the index in `frames` of the next frame; frames with a negative index are skipped
  int64_t capacity;
  ms_stack stack;
  uintptr_t context_at;  // the address of the innermost async function's context; 0: none found yet
  uintptr_t context;     // the context itself if it was read from registers; else 0
  // The start of the walk, to restart it with all registers: a signal context, or the caller's frame.
  const ucontext_t *interrupted;
  uintptr_t first_sp;
  int64_t first;
} ms_walk;

/// The reason why `follow` stops.
typedef enum {
  GOING_ON,
  AT_END,       // the outermost frame is written
  OUT_OF_ROOM,
  OFF_STACK,    // the stack pointer is outside the known stack
  UNKNOWN_RULE,
  NEEDS_STEPPER,    // a signal frame, or a caller's frame that may be outside the known range
  NEEDS_REGISTERS,  // the rule needs more registers than sp and fp
} obstacle;

static uintptr_t word_at(uintptr_t address) { return *(const uintptr_t *)address; }

#if defined(__aarch64__)
#include "unwind_step_aarch64.h"
#else
#include "unwind_step_x86_64.h"
#endif

/// Records the location of the async context, if the last function was the async function that the task runs.
static MS_INLINE void note_async_frame(ms_walk *walk) {
  if (ms_likely(!ms_is_task_return(walk->pc)) || walk->context_at != 0) return;
  uintptr_t at = context_left(walk);
  bool is_inside = at >= walk->stack.low && at <= walk->stack.high - sizeof at;
  if (is_inside) walk->context_at = at;
}

/// Steps to the caller. `offset` is the rule's CFA offset, passed separately because the hot loop can extract it from
/// an entry before the complete rule is known.
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

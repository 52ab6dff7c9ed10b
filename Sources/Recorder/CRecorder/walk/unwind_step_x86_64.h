// The x86-64 part of unwind_step.h: a call pushes its return address, so the address is directly below the CFA.

static MS_INLINE void note_left(ms_walk *walk, uintptr_t frame) { (void)walk, (void)frame; }

/// The address of the last callee's async context, if the callee is an async function: directly below the frame
/// pointer that the callee pushed.
static MS_INLINE uintptr_t context_left(const ms_walk *walk) { return walk->sp - 24; }

// `rule_of` guarantees an offset of at least 8 and a slot inside the frame; other rows become general rules.
static MS_INLINE obstacle leave_from_sp(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  uintptr_t cfa = walk->sp + offset;
  if (ms_unlikely(cfa > walk->stack.high)) return NEEDS_STEPPER;
  if (slot != 0) walk->fp = word_at(cfa - slot);
  walk->pc = word_at(cfa - 8);
  walk->sp = cfa;
  return GOING_ON;
}

static MS_INLINE obstacle leave_to(ms_walk *walk, uintptr_t cfa, uintptr_t slot) {
  if (ms_unlikely(cfa <= walk->sp || cfa > walk->stack.high || slot > cfa - walk->sp)) {
    return NEEDS_STEPPER;
  }
  if (slot != 0) walk->fp = word_at(cfa - slot);
  walk->pc = word_at(cfa - 8);
  walk->sp = cfa;
  return GOING_ON;
}

static MS_INLINE obstacle leave_from_fp(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  return leave_to(walk, walk->fp + offset, slot);
}

/// Steps out of a frame that gcc realigned: the caller's stack pointer is saved below the frame pointer.
static MS_INLINE obstacle leave_otherwise(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  (void)slot;
  uintptr_t frame = walk->fp;
  if (frame < offset || frame - offset < walk->sp || frame > walk->stack.high - 8) {
    return NEEDS_STEPPER;
  }
  uintptr_t cfa = word_at(frame - offset);
  if (cfa < frame + 8) return NEEDS_STEPPER;
  obstacle obstacle = leave_to(walk, cfa, 0);
  if (obstacle == GOING_ON) walk->fp = word_at(frame);
  return obstacle;
}

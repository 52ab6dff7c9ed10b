// The arm64 part of unwind_step.h. A function that calls others saves its return address, usually next to its
// caller's frame pointer. The walk strips the signature from every return address, which does not change unsigned
// addresses.

static MS_INLINE void note_left(ms_walk *walk, uintptr_t frame) { walk->left = frame; }

/// The address of the last callee's async context, if the callee is an async function: directly below its frame
/// record.
static MS_INLINE uintptr_t context_left(const ms_walk *walk) { return walk->left - 8; }

static MS_INLINE obstacle leave_by_record(ms_walk *walk, uintptr_t record, uintptr_t cfa) {
  note_left(walk, walk->fp);
  walk->fp = word_at(record);
  walk->pc = ms_without_signature(word_at(record + 8));
  walk->sp = cfa;
  return GOING_ON;
}

// `rule_of` guarantees that the record lies between sp or fp and the CFA; other rows become general rules.
static MS_INLINE obstacle leave_from_sp(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  uintptr_t cfa = walk->sp + offset;
  if (ms_unlikely(cfa > walk->stack.high)) return NEEDS_STEPPER;
  return leave_by_record(walk, walk->sp + slot, cfa);
}

static MS_INLINE obstacle leave_from_fp(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  uintptr_t frame = walk->fp, cfa = frame + offset;
  if (ms_unlikely(frame < walk->sp || cfa < frame || cfa > walk->stack.high)) return NEEDS_STEPPER;
  return leave_by_record(walk, frame + slot, cfa);
}

/// Steps out of a function that keeps no frame pointer: only the return address is saved.
static MS_INLINE obstacle leave_otherwise(ms_walk *walk, uintptr_t offset, uintptr_t slot) {
  uintptr_t cfa = walk->sp + offset;
  if (ms_unlikely(cfa > walk->stack.high)) return NEEDS_STEPPER;
  note_left(walk, walk->fp);
  walk->pc = ms_without_signature(word_at(walk->sp + slot));
  walk->sp = cfa;
  return GOING_ON;
}

// Steps from any frame to its caller with all registers. The stepper is slower than a compact rule, but handles every
// kind of frame.
#ifndef MAINSTAY_WALK_STEPPER_H
#define MAINSTAY_WALK_STEPPER_H

#include "row.h"
#include "stack_memory.h"

MS_WALKS_BEGIN

/// A frame's registers. If `exact`, the pc is the next instruction to run (a signal interrupted the frame) instead of
/// a return address.
typedef struct {
  uint64_t value[ms_register_count];
  uint64_t known;  // bit n: the value of register n is known
  bool exact;
} ms_registers;

static inline bool ms_registers_know(const ms_registers *registers, uint64_t number) {
  return number < ms_register_count && (registers->known >> number & 1) != 0;
}

static inline void ms_registers_set(ms_registers *registers, uint32_t number, uint64_t value) {
  registers->value[number] = value;
  registers->known |= UINT64_C(1) << number;
}

/// The largest distance from sp to a frame pointer that is accepted outside all objects.
enum { ms_farthest_guess = 0x4000 };

typedef enum {
  MS_STEPPED,
  MS_STEP_OUTERMOST,  ///< the frame has no caller
  MS_STEP_NO_RULE,    ///< no rule locates the caller
  MS_STEP_BAD_STACK,  ///< the caller's frame would be outside the stack
} ms_step_result;

/// Replaces `registers` by the caller's. Leaves `registers` unchanged unless the result is `MS_STEPPED`.
///
/// Signal safety: safe. Reads `stack` and the unwind information of loaded objects; takes no lock and does not
/// allocate.
ms_step_result ms_step(ms_registers *registers, ms_stack *stack);

/// Evaluates the DWARF block at `expression`, with `*initial` on the operand stack unless `initial` is NULL.
///
/// Signal safety: safe.
bool ms_expression_evaluate(const uint8_t *expression, const uint8_t *end,
                            const ms_registers *registers, const uint64_t *initial,
                            ms_stack *stack, uint64_t *result);

MS_WALKS_END

#endif

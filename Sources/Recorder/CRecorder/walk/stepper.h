// Steps from any frame to its caller with all registers: slower than a rule, and complete.
#ifndef MAINSTAY_WALK_STEPPER_H
#define MAINSTAY_WALK_STEPPER_H

#include "row.h"
#include "stack_memory.h"

MS_WALKS_BEGIN

/// A frame's registers. `exact`: the pc is the next instruction to run (a signal interrupted it),
/// not the address a call returns to.
typedef struct {
  uint64_t value[ms_register_count];
  uint64_t known;  // a bit for each register
  bool exact;
} ms_registers;

static inline bool ms_registers_know(const ms_registers *registers, uint64_t number) {
  return number < ms_register_count && (registers->known >> number & 1) != 0;
}

static inline void ms_registers_set(ms_registers *registers, uint32_t number, uint64_t value) {
  registers->value[number] = value;
  registers->known |= UINT64_C(1) << number;
}

/// Outside of all objects a frame pointer is only believed when it is this near.
enum { ms_farthest_guess = 0x4000 };

typedef enum {
  MS_STEPPED,
  MS_STEP_OUTERMOST,  ///< there is no caller
  MS_STEP_NO_RULE,    ///< nothing says where the caller is
  MS_STEP_BAD_STACK,  ///< the caller would lie outside the stack
} ms_step_result;

/// Makes `registers` those of the caller. They are left alone unless the result is `MS_STEPPED`.
///
/// Signal safety: safe. Reads `stack` and the unwind information of loaded objects, no lock, no
/// allocation.
ms_step_result ms_step(ms_registers *registers, ms_stack *stack);

/// Evaluates the DWARF block at `expression`. With `initial`, that value is pushed first.
///
/// Signal safety: safe.
bool ms_expression_evaluate(const uint8_t *expression, const uint8_t *end,
                            const ms_registers *registers, const uint64_t *initial,
                            ms_stack *stack, uint64_t *result);

MS_WALKS_END

#endif

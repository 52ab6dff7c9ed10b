#include "stepper.h"

#include "ms_address.h"

#if MS_HAS_RULES
#include <string.h>

MS_WALKS_BEGIN

static bool find_cfa(const ms_row *row, const ms_registers *registers, ms_stack *stack,
                     uint64_t *cfa) {
  if (row->cfa_expression != NULL) {
    return ms_expression_evaluate(row->cfa_expression, row->object_end, registers, NULL, stack,
                                  cfa);
  }
  if (!ms_registers_know(registers, row->cfa_register)) return false;
  *cfa = registers->value[row->cfa_register] + (uint64_t)row->cfa_offset;
  return true;
}

// The caller's value of one register; false where it cannot be had.
static bool find_register(const ms_row *row, uint32_t number, uint64_t cfa,
                          const ms_registers *registers, ms_stack *stack, uint64_t *value) {
  int64_t operand = row->value[number];
  uint64_t address;
  switch ((ms_place)row->place[number]) {
    case MS_PLACE_SAME:
      *value = number == ms_rsp ? cfa : registers->value[number];
      return number == ms_rsp || ms_registers_know(registers, number);
    case MS_PLACE_UNDEFINED: return false;
    case MS_PLACE_AT_OFFSET: return ms_stack_read(stack, cfa + (uint64_t)operand, value);
    case MS_PLACE_IS_OFFSET: *value = cfa + (uint64_t)operand; return true;
    case MS_PLACE_IN_REGISTER:
      if (!ms_registers_know(registers, (uint64_t)operand)) return false;
      *value = registers->value[operand];
      return true;
    case MS_PLACE_AT_EXPRESSION:
      return ms_expression_evaluate((const uint8_t *)operand, row->object_end, registers, &cfa,
                                    stack, &address)
          && ms_stack_read(stack, address, value);
    case MS_PLACE_IS_EXPRESSION:
      return ms_expression_evaluate((const uint8_t *)operand, row->object_end, registers, &cfa,
                                    stack, value);
  }
  return false;
}

static ms_step_result step_by_row(const ms_row *row, ms_registers *registers, ms_stack *stack) {
  ms_registers caller = {.known = 0, .exact = row->signal_frame};
  uint64_t cfa, value;
  if (row->place[ms_rip] == MS_PLACE_UNDEFINED) return MS_STEP_OUTERMOST;
  if (!find_cfa(row, registers, stack, &cfa)) return MS_STEP_NO_RULE;
  for (uint32_t number = 0; number < ms_register_count; number++) {
    if (find_register(row, number, cfa, registers, stack, &value)) {
      ms_registers_set(&caller, number, value);
    }
  }
  if (!ms_registers_know(&caller, ms_rip) || !ms_registers_know(&caller, ms_rsp)) {
    return MS_STEP_BAD_STACK;
  }
  // Nothing calls from address 0, but a call may have gone there and been interrupted.
  if (caller.value[ms_rip] == 0 && !row->signal_frame) return MS_STEP_OUTERMOST;
  // A call's caller lies above it (or, where the return address was just popped, no lower), and
  // only a signal can have come from another stack.
  uint64_t lowest = registers->value[ms_rsp] + (registers->exact ? 0 : 1);
  if (!row->signal_frame && caller.value[ms_rsp] < lowest) return MS_STEP_BAD_STACK;
  if (row->signal_frame && !stack->fixed) {
    uintptr_t sp = caller.value[ms_rsp];
    if (!ms_stack_holds(stack, sp)) *stack = ms_stack_around(sp);
  }
  *registers = caller;
  return MS_STEPPED;
}

// The caller of a function that has pushed nothing but its return address (and `pushed` bytes).
static ms_step_result step_over_call(ms_registers *registers, uint64_t pushed, ms_stack *stack) {
  uint64_t rsp = registers->value[ms_rsp] + pushed;
  uint64_t address;
  if (!ms_stack_read(stack, rsp, &address)) return MS_STEP_BAD_STACK;
  if (address == 0) return MS_STEP_OUTERMOST;
  registers->value[ms_rip] = address;
  registers->value[ms_rsp] = rsp + 8;
  registers->exact = false;
  return MS_STEPPED;
}

static ms_step_result step_by_frame_pointer(ms_registers *registers, ms_stack *stack) {
  uint64_t frame = registers->value[ms_rbp];
  uint64_t saved, address;
  if (!ms_registers_know(registers, ms_rbp) || frame == 0) return MS_STEP_OUTERMOST;
  if (frame < registers->value[ms_rsp] || !ms_stack_read(stack, frame, &saved)
      || !ms_stack_read(stack, frame + 8, &address)) {
    return MS_STEP_BAD_STACK;
  }
  if (address == 0) return MS_STEP_OUTERMOST;
  registers->value[ms_rip] = address;
  registers->value[ms_rsp] = frame + 16;
  registers->value[ms_rbp] = saved;
  registers->exact = false;
  return MS_STEPPED;
}

// A stub of the procedure linkage table: `jmp *…`, then `push …` and `jmp` to the first stub.
static bool is_linkage_stub(uintptr_t address) {
  enum { jump_through = 0xFF, by_address = 0x25, push_word = 0x68, jump = 0xE9, push_size = 5 };
  uint8_t code[8];
  if (!ms_is_readable(address)) return false;
  memcpy(code, (const void *)address, sizeof code);
  if (code[0] == jump_through && code[1] == by_address) return true;
  return code[0] == push_word && code[push_size] == jump;
}

// Without unwind information: what libunwind guesses, and where it can be known, better.
static ms_step_result step_by_guess(ms_coverage coverage, ms_registers *registers,
                                    ms_stack *stack) {
  uintptr_t address = registers->value[ms_rip];
  if (coverage == MS_NO_OBJECT) {
    // Code that cannot be read never ran: a call went astray and left its return address.
    if (registers->exact && !ms_is_readable(address)) {
      return step_over_call(registers, 0, stack);
    }
    if (registers->value[ms_rbp] - registers->value[ms_rsp] > ms_farthest_guess) {
      return MS_STEP_NO_RULE;
    }
  } else if (registers->exact && is_linkage_stub(address)) {
    return step_over_call(registers, 0, stack);
  }
  return step_by_frame_pointer(registers, stack);
}

ms_step_result ms_step(ms_registers *registers, ms_stack *stack) {
  ms_row row;
  bool permanent;
  uintptr_t address = registers->value[ms_rip];
  uintptr_t instruction = registers->exact ? address : address - 1;
  switch (ms_row_find(instruction, &row, &permanent)) {
    case MS_COVERED: return step_by_row(&row, registers, stack);
    case MS_NOT_READABLE: return MS_STEP_NO_RULE;
    case MS_UNCOVERED: return step_by_guess(MS_UNCOVERED, registers, stack);
    case MS_NO_OBJECT: return step_by_guess(MS_NO_OBJECT, registers, stack);
  }
  return MS_STEP_NO_RULE;
}

MS_WALKS_END
#endif

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

// Computes the caller's value of one register; returns false if the value is not recoverable.
static bool find_register(const ms_row *row, uint32_t number, uint64_t cfa,
                          const ms_registers *registers, ms_stack *stack, uint64_t *value) {
  int64_t operand = row->value[number];
  uint64_t address;
  switch ((ms_place)row->place[number]) {
    case MS_PLACE_SAME:
      *value = number == ms_sp ? cfa : registers->value[number];
      return number == ms_sp || ms_registers_know(registers, number);
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

#if defined(__aarch64__)
// Takes the caller's pc from the link register, where the value may be signed. The caller's own link register is
// lost, unless a signal interrupted the caller.
static void take_return(ms_registers *caller, bool is_interrupted) {
  if (!ms_registers_know(caller, ms_return)) return;
  ms_registers_set(caller, ms_pc, ms_without_signature(caller->value[ms_return]));
  if (!is_interrupted) caller->known &= ~(UINT64_C(1) << ms_return);
}

// Returns true for the code `mov x8, #rt_sigreturn`, `svc #0`, to which a signal handler returns.
static bool is_signal_return(uintptr_t address) {
  static const uint32_t returns[] = {0xD2801168, 0xD4000001};
  bool is_readable = address % 4 == 0 && ms_is_readable(address) && ms_is_readable(address + 4);
  return is_readable && memcmp((const void *)address, returns, sizeof returns) == 0;
}

// Restores all registers from the kernel's signal frame; the unwind row locates only two of them.
static ms_step_result step_out_of_signal(ms_registers *registers, ms_stack *stack) {
  enum { saved = 128 + 176 + 8 };  // the offset past siginfo_t, the start of ucontext_t and the fault address
  ms_registers interrupted = {.known = 0, .exact = true};
  for (uint32_t number = 0; number < ms_register_count; number++) {
    uint64_t value;
    if (!ms_stack_read(stack, registers->value[ms_sp] + saved + number * 8, &value)) return MS_STEP_BAD_STACK;
    ms_registers_set(&interrupted, number, value);
  }
  uintptr_t sp = interrupted.value[ms_sp];
  if (!stack->fixed && !ms_stack_holds(stack, sp)) *stack = ms_stack_around(sp);
  *registers = interrupted;
  return MS_STEPPED;
}
#else
static void take_return(ms_registers *caller, bool is_interrupted) { (void)caller, (void)is_interrupted; }
#endif

static ms_step_result step_by_row(const ms_row *row, ms_registers *registers, ms_stack *stack) {
  ms_registers caller = {.known = 0, .exact = row->signal_frame};
  uint64_t cfa, value;
  if (row->place[ms_return] == MS_PLACE_UNDEFINED) return MS_STEP_OUTERMOST;
#if defined(__aarch64__)
  if (row->signal_frame) return step_out_of_signal(registers, stack);
#endif
  if (!find_cfa(row, registers, stack, &cfa)) return MS_STEP_NO_RULE;
  for (uint32_t number = 0; number < ms_register_count; number++) {
    if (number == ms_pc && ms_pc != ms_return) continue;
    if (find_register(row, number, cfa, registers, stack, &value)) {
      ms_registers_set(&caller, number, value);
    }
  }
  take_return(&caller, row->signal_frame);
  if (!ms_registers_know(&caller, ms_pc) || !ms_registers_know(&caller, ms_sp)) {
    return MS_STEP_BAD_STACK;
  }
  // A normal call never returns to address 0, but a call to address 0 can have been interrupted by a signal.
  if (caller.value[ms_pc] == 0 && !row->signal_frame) return MS_STEP_OUTERMOST;
  // A caller's frame lies above its callee's (or at the same address if the return address was just popped). Only a
  // signal handler can run on another stack.
  uint64_t sp = registers->value[ms_sp], lowest = sp + (registers->exact ? 0 : 1);
  if (!row->signal_frame && caller.value[ms_sp] < lowest) return MS_STEP_BAD_STACK;
  // A frame may end several pages above the last word that was read from the frame.
  bool is_above = !row->signal_frame && caller.value[ms_sp] > sp;
  if (is_above && !ms_stack_reach(stack, caller.value[ms_sp] - 8, 8)) return MS_STEP_BAD_STACK;
  if (row->signal_frame && !stack->fixed) {
    uintptr_t sp = caller.value[ms_sp];
    if (!ms_stack_holds(stack, sp)) *stack = ms_stack_around(sp);
  }
  *registers = caller;
  return MS_STEPPED;
}

// Steps to the caller of a function that has pushed only its return address (where a call pushes it) and `pushed`
// bytes.
#if defined(__aarch64__)
static ms_step_result step_over_call(ms_registers *registers, uint64_t pushed, ms_stack *stack) {
  (void)stack;
  if (!ms_registers_know(registers, ms_return)) return MS_STEP_NO_RULE;
  registers->value[ms_sp] += pushed;
  registers->exact = false;
  take_return(registers, false);
  return registers->value[ms_pc] == 0 ? MS_STEP_OUTERMOST : MS_STEPPED;
}
#else
static ms_step_result step_over_call(ms_registers *registers, uint64_t pushed, ms_stack *stack) {
  uint64_t rsp = registers->value[ms_sp] + pushed;
  uint64_t address;
  if (!ms_stack_read(stack, rsp, &address)) return MS_STEP_BAD_STACK;
  if (address == 0) return MS_STEP_OUTERMOST;
  registers->value[ms_pc] = address;
  registers->value[ms_sp] = rsp + 8;
  registers->exact = false;
  return MS_STEPPED;
}
#endif

static ms_step_result step_by_frame_pointer(ms_registers *registers, ms_stack *stack) {
  uint64_t frame = registers->value[ms_fp];
  uint64_t saved, address;
  if (!ms_registers_know(registers, ms_fp) || frame == 0) return MS_STEP_OUTERMOST;
  if (frame < registers->value[ms_sp] || !ms_stack_read(stack, frame, &saved)
      || !ms_stack_read(stack, frame + 8, &address)) {
    return MS_STEP_BAD_STACK;
  }
  if (address == 0) return MS_STEP_OUTERMOST;
  registers->value[ms_pc] = ms_without_signature(address);
  registers->value[ms_sp] = frame + 16;
  registers->value[ms_fp] = saved;
  registers->exact = false;
  return MS_STEPPED;
}

#if defined(__aarch64__)
// Returns true if `address` is in a stub of the procedure linkage table: `bti c` with branch target identification,
// then `adrp x16, …`, `ldr x17, …`, `add x16, …` and `br x17`. No other code ends with this sequence.
static bool is_linkage_stub(uintptr_t address) {
  enum { most = 5, branch = 0xD61F0220 };
  static const struct { uint32_t mask, code; } stub[] = {
      {~0u, 0xD503245F}, {0x9F00001F, 0x90000010}, {0xFFC003FF, 0xF9400211}, {0xFF8003FF, 0x91000210}};
  for (uint32_t index = 0, place = 0; index < most && address % 4 == 0; index++, address += 4) {
    uint32_t code;
    if (!ms_is_readable(address)) return false;
    memcpy(&code, (const void *)address, sizeof code);
    if (code == branch) return true;
    while (place < sizeof stub / sizeof *stub && (code & stub[place].mask) != stub[place].code) place++;
    if (place++ == sizeof stub / sizeof *stub) return false;
  }
  return false;
}
#else
// Returns true if `address` is in a stub of the procedure linkage table: `jmp *…`, then `push …` and `jmp` to the
// first stub.
static bool is_linkage_stub(uintptr_t address) {
  enum { jump_through = 0xFF, by_address = 0x25, push_word = 0x68, jump = 0xE9, push_size = 5 };
  uint8_t code[8];
  if (!ms_is_readable(address)) return false;
  memcpy(code, (const void *)address, sizeof code);
  if (code[0] == jump_through && code[1] == by_address) return true;
  return code[0] == push_word && code[push_size] == jump;
}
#endif

// Steps without unwind information: follows the frame pointer, as libunwind does, except for the cases that can be
// recognized.
static ms_step_result step_by_guess(ms_coverage coverage, ms_registers *registers,
                                    ms_stack *stack) {
  uintptr_t address = registers->value[ms_pc];
  if (coverage == MS_NO_OBJECT) {
#if defined(__aarch64__)
    // Without a vDSO, a kernel page contains the signal return code.
    if (is_signal_return(address)) return step_out_of_signal(registers, stack);
#endif
    // The code at an unreadable address never ran: the pc is the target of a bad call, which pushed its return
    // address.
    if (registers->exact && !ms_is_readable(address)) {
      return step_over_call(registers, 0, stack);
    }
    if (registers->value[ms_fp] - registers->value[ms_sp] > ms_farthest_guess) {
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
  uintptr_t address = registers->value[ms_pc];
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

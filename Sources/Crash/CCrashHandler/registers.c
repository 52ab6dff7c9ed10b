// Reads the registers of a thread from its context.

#include <string.h>

#include "crash.h"
#include "ms_return_address.h"

#if defined(__x86_64__)

uint32_t ms_machine_here(void) { return MS_MACHINE_X86_64; }

uint32_t ms_registers(const ucontext_t *context, uint64_t *values) {
  static const uint8_t order[] = {REG_RIP, REG_RSP, REG_RBP, REG_RAX, REG_RBX, REG_RCX, REG_RDX,
                                  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12,
                                  REG_R13, REG_R14, REG_R15, REG_EFL, REG_ERR, REG_TRAPNO, REG_CR2};
  for (uint32_t i = 0; i < sizeof order; i++) {
    values[i] = (uint64_t)context->uc_mcontext.gregs[order[i]];
  }
  return sizeof order;
}

static uintptr_t value(const ucontext_t *context, int which) {
  return (uintptr_t)context->uc_mcontext.gregs[which];
}

uintptr_t ms_instruction(const ucontext_t *context) { return value(context, REG_RIP); }
uintptr_t ms_stack_pointer(const ucontext_t *context) { return value(context, REG_RSP); }

ucontext_t ms_before_call(const ucontext_t *context) {
  ucontext_t before = *context;
  uintptr_t top = ms_stack_pointer(context);
  before.uc_mcontext.gregs[REG_RIP] = (greg_t)(*(const uintptr_t *)top - 1);
  before.uc_mcontext.gregs[REG_RSP] = (greg_t)(top + sizeof(uintptr_t));
  return before;
}

#elif defined(__aarch64__)

uint32_t ms_machine_here(void) { return MS_MACHINE_AARCH64; }

uint32_t ms_registers(const ucontext_t *context, uint64_t *values) {
  const mcontext_t *machine = &context->uc_mcontext;
  values[0] = machine->pc;
  values[1] = machine->sp;
  memcpy(values + 2, machine->regs, 31 * sizeof *values);
  values[33] = machine->pstate;
  values[34] = machine->fault_address;
  return 35;
}

uintptr_t ms_instruction(const ucontext_t *context) { return context->uc_mcontext.pc; }
uintptr_t ms_stack_pointer(const ucontext_t *context) { return context->uc_mcontext.sp; }

ucontext_t ms_before_call(const ucontext_t *context) {
  ucontext_t before = *context;
  before.uc_mcontext.pc = ms_without_signature(context->uc_mcontext.regs[30]) - 4;
  return before;
}

#endif

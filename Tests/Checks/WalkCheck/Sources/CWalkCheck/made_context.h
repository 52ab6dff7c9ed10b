// A context that no thread was ever in, made by the registers that a walk knows by name.
#ifndef MAINSTAY_MADE_CONTEXT_H
#define MAINSTAY_MADE_CONTEXT_H

#include <stdint.h>
#include <ucontext.h>

#include "../../../../../Sources/Recorder/CRecorder/walk/machine.h"

/// Sets one of them, by DWARF's number.
static inline void ms_set_register(ucontext_t *context, uint32_t number, uint64_t value) {
#if defined(__aarch64__)
  mcontext_t *machine = &context->uc_mcontext;
  if (number < ms_sp) machine->regs[number] = value;
  if (number == ms_sp) machine->sp = value;
  if (number == ms_pc) machine->pc = value;
#else
  static const uint8_t order[ms_register_count] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  context->uc_mcontext.gregs[order[number]] = (greg_t)value;
#endif
}

#endif

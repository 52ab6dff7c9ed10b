// The arm64 part of registers.h.

static inline void ms_registers_from_context(const ucontext_t *context, ms_registers *registers) {
  const mcontext_t *machine = &context->uc_mcontext;
  *registers = (ms_registers){.known = 0, .exact = true};
  for (uint32_t number = 0; number < ms_sp; number++) {
    ms_registers_set(registers, number, machine->regs[number]);
  }
  ms_registers_set(registers, ms_sp, machine->sp);
  ms_registers_set(registers, ms_pc, machine->pc);
}

static inline uintptr_t ms_context_sp(const ucontext_t *context) { return context->uc_mcontext.sp; }

static MS_INLINE void ms_registers_here(ms_registers *registers) {
  *registers = (ms_registers){.known = 0, .exact = true};
  register uint64_t *values __asm__("x9") = registers->value;
  __asm__ volatile(
      "stp x19, x20, [x9, #152]\n stp x21, x22, [x9, #168]\n stp x23, x24, [x9, #184]\n"
      "stp x25, x26, [x9, #200]\n stp x27, x28, [x9, #216]\n stp x29, x30, [x9, #232]\n"
      "mov x10, sp\n adr x11, 0f\n stp x10, x11, [x9, #248]\n 0:"
      :
      : "r"(values)
      : "x10", "x11", "memory");
  registers->known = UINT64_C(0x3FFF) << 19;  // x19 to the pc
}

// The x86-64 part of registers.h.

static inline void ms_registers_from_context(const ucontext_t *context, ms_registers *registers) {
  static const uint8_t in_dwarf_order[ms_register_count] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  *registers = (ms_registers){.known = 0, .exact = true};
  for (uint32_t number = 0; number < ms_register_count; number++) {
    uint64_t value = (uint64_t)context->uc_mcontext.gregs[in_dwarf_order[number]];
    ms_registers_set(registers, number, value);
  }
}

static inline uintptr_t ms_context_sp(const ucontext_t *context) {
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
}

static MS_INLINE void ms_registers_here(ms_registers *registers) {
  *registers = (ms_registers){.known = 0, .exact = true};
  __asm__ volatile(
      "movq %%rbx, 24(%0)\n movq %%rbp, 48(%0)\n movq %%rsp, 56(%0)\n"
      "movq %%r12, 96(%0)\n movq %%r13, 104(%0)\n movq %%r14, 112(%0)\n movq %%r15, 120(%0)\n"
      "leaq 0f(%%rip), %%rax\n movq %%rax, 128(%0)\n 0:"
      :
      : "D"(registers->value)
      : "rax", "memory");
  registers->known = 1 << ms_rbx | 1 << ms_fp | 1 << ms_sp | 0xF << ms_r12 | 1 << ms_pc;
}

#include <capstone/capstone.h>
#include <string.h>

#include "CMachineCode.h"

enum { RSP = 4 };

/// The number of a register of capstone, or of the register that contains it.
static uint8_t number_of(x86_reg reg) {
  static const uint16_t general[16][4] = {
      {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL},
      {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL},
      {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL},
      {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL},
      {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
      {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
      {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
      {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
      {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},
      {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
      {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B},
      {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
      {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B},
      {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
      {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B},
      {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B},
  };
  if (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM15)
    return (uint8_t)(MS_FIRST_VECTOR + (reg - X86_REG_XMM0));
  if (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM15)
    return (uint8_t)(MS_FIRST_VECTOR + (reg - X86_REG_YMM0));
  switch (reg) {
  case X86_REG_AH: return 0;
  case X86_REG_CH: return 1;
  case X86_REG_DH: return 2;
  case X86_REG_BH: return 3;
  default: break;
  }
  for (uint8_t i = 0; i < 16; i++)
    for (int width = 0; width < 4; width++)
      if (general[i][width] == reg) return i;
  return MS_NO_REGISTER;
}

static bool is_vector(uint8_t reg) { return reg >= MS_FIRST_VECTOR && reg < MS_REGISTER_COUNT; }

/// The set that contains a register; both halves of a vector register.
static uint64_t set_of(uint8_t reg) {
  if (reg >= MS_REGISTER_COUNT) return 0;
  uint64_t set = 1ull << reg;
  return is_vector(reg) && reg < MS_FIRST_UPPER_HALF ? set | set << 16 : set;
}

/// Sets the memory operand of an operation.
static void place(ms_operation *operation, const cs_insn *insn, const x86_op_mem *memory) {
  operation->value = memory->disp;
  operation->is_indexed = memory->index != X86_REG_INVALID;
  if (memory->segment != X86_REG_INVALID) {
    // Thread-local memory: no address that other code could know.
    operation->base = MS_NO_REGISTER;
    operation->is_indexed = true;
  } else if (memory->base == X86_REG_RIP) {
    operation->base = MS_NO_REGISTER;
    operation->value += (int64_t)(insn->address + insn->size);
  } else {
    operation->base = number_of(memory->base);
  }
}

static void jump(ms_operation *operation, const cs_insn *insn, ms_operation_kind direct,
                 ms_operation_kind by_register, ms_operation_kind by_memory) {
  const cs_x86_op *target = &insn->detail->x86.operands[0];
  switch (target->type) {
  case X86_OP_IMM:
    operation->kind = (uint8_t)direct;
    operation->value = target->imm;
    break;
  case X86_OP_REG:
    operation->kind = (uint8_t)by_register;
    operation->source = number_of(target->reg);
    break;
  default:
    operation->kind = (uint8_t)by_memory;
    place(operation, insn, &target->mem);
  }
}

/// A move of 8 or 16 bytes between registers and memory.
static void move(ms_operation *operation, const cs_insn *insn) {
  const cs_x86_op *to = &insn->detail->x86.operands[0], *from = to + 1;
  if (to->type == X86_OP_REG && from->type == X86_OP_REG) {
    // A move of 32 bits clears the upper half: numbers keep their value, and no address is moved like this.
    if (to->size < 4) return;
    operation->kind = MS_MOVE;
    operation->target = number_of(to->reg);
    operation->source = number_of(from->reg);
    operation->width = insn->id == X86_INS_MOVQ ? 8 : to->size;
  } else if (to->type == X86_OP_REG && from->type == X86_OP_IMM) {
    operation->kind = MS_CONSTANT;
    operation->target = number_of(to->reg);
    // A 32-bit move clears the upper half.
    operation->value = to->size == 4 ? (int64_t)(uint32_t)from->imm : from->imm;
  } else if (to->type == X86_OP_REG && from->type == X86_OP_MEM) {
    uint8_t width = is_vector(number_of(to->reg)) ? from->size : to->size;
    if (width != 8 && width != 16) return;
    operation->kind = MS_LOAD;
    operation->target = number_of(to->reg);
    operation->width = width;
    place(operation, insn, &from->mem);
  } else if (to->type == X86_OP_MEM) {
    operation->kind = MS_STORE;
    operation->width = to->size;
    place(operation, insn, &to->mem);
    if (from->type == X86_OP_REG && (to->size == 8 || to->size == 16))
      operation->source = number_of(from->reg);
  }
}

static void arithmetic(ms_operation *operation, const cs_insn *insn, int sign) {
  const cs_x86_op *to = &insn->detail->x86.operands[0], *from = to + 1;
  if (to->type != X86_OP_REG || to->size != 8 || from->type != X86_OP_IMM) return;
  operation->kind = MS_ADD;
  operation->target = number_of(to->reg);
  operation->value = sign * from->imm;
}

static void classify(ms_operation *operation, const cs_insn *insn) {
  const cs_x86 *x86 = &insn->detail->x86;
  switch (insn->id) {
  case X86_INS_MOV:
  case X86_INS_MOVABS:
  case X86_INS_MOVQ:
  case X86_INS_MOVAPS:
  case X86_INS_MOVUPS:
  case X86_INS_MOVAPD:
  case X86_INS_MOVUPD:
  case X86_INS_MOVDQA:
  case X86_INS_MOVDQU: move(operation, insn); return;
  case X86_INS_LEA:
    if (x86->operands[0].size != 8) return;
    place(operation, insn, &x86->operands[1].mem);
    if (operation->is_indexed) return;
    operation->kind = MS_ADDRESS;
    operation->target = number_of(x86->operands[0].reg);
    return;
  case X86_INS_ADD: arithmetic(operation, insn, 1); return;
  case X86_INS_SUB: arithmetic(operation, insn, -1); return;
  case X86_INS_PUNPCKLQDQ:
  case X86_INS_MOVLHPS:
  case X86_INS_UNPCKLPD:
    if (x86->operands[1].type != X86_OP_REG) return;
    operation->kind = MS_JOIN;
    operation->target = number_of(x86->operands[0].reg);
    operation->source = number_of(x86->operands[1].reg);
    return;
  case X86_INS_PUSH:
    operation->kind = MS_PUSH;
    if (x86->operands[0].type == X86_OP_REG)
      operation->source = number_of(x86->operands[0].reg);
    return;
  case X86_INS_POP:
    operation->kind = MS_POP;
    if (x86->operands[0].type == X86_OP_REG)
      operation->target = number_of(x86->operands[0].reg);
    return;
  case X86_INS_CALL:
    jump(operation, insn, MS_CALL, MS_CALL_REGISTER, MS_CALL_MEMORY);
    return;
  case X86_INS_JMP: jump(operation, insn, MS_JUMP, MS_JUMP_REGISTER, MS_JUMP_MEMORY); return;
  case X86_INS_RET: operation->kind = MS_RETURN; return;
  case X86_INS_UD2:
  case X86_INS_INT3:
  case X86_INS_HLT: operation->kind = MS_TRAP; return;
  default: break;
  }
  if (x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM) {
    for (int i = 0; i < insn->detail->groups_count; i++)
      if (insn->detail->groups[i] == X86_GRP_JUMP) {
        operation->kind = MS_BRANCH;
        operation->value = x86->operands[0].imm;
      }
  }
}

static uint64_t written_by(csh handle, const cs_insn *insn) {
  cs_regs read, written;
  uint8_t read_count = 0, written_count = 0;
  if (cs_regs_access(handle, insn, read, &read_count, written, &written_count) != CS_ERR_OK)
    return (1ull << MS_REGISTER_COUNT) - 1;
  uint64_t set = 0;
  for (uint8_t i = 0; i < written_count; i++) set |= set_of(number_of(written[i]));
  return set;
}

size_t ms_decode(const uint8_t *code, size_t size, uint64_t address, ms_operation *operations,
                 size_t capacity) {
  csh handle;
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK) return 0;
  cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
  cs_insn *insn = cs_malloc(handle);
  size_t count = 0;
  while (insn && count < capacity && cs_disasm_iter(handle, &code, &size, &address, insn)) {
    ms_operation *operation = &operations[count++];
    *operation = (ms_operation){.address = insn->address,
                                .length = (uint8_t)insn->size,
                                .kind = MS_OTHER,
                                .target = MS_NO_REGISTER,
                                .source = MS_NO_REGISTER,
                                .base = MS_NO_REGISTER,
                                .width = 8};
    classify(operation, insn);
    operation->written = written_by(handle, insn);
    if (operation->kind == MS_PUSH || operation->kind == MS_POP)
      operation->written &= ~(1ull << RSP);
  }
  if (insn) cs_free(insn, 1);
  cs_close(&handle);
  return count;
}

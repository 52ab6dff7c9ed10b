#include "dwarf_bytes.h"
#include "stepper.h"

#if MS_HAS_RULES
MS_WALKS_BEGIN

// The DWARF operations (DW_OP_…) that call frame information may contain.
enum {
  op_address = 0x03, op_deref = 0x06,
  op_const_u1 = 0x08, op_const_s1, op_const_u2, op_const_s2, op_const_u4, op_const_s4,
  op_const_u8, op_const_s8, op_const_uleb, op_const_sleb,
  op_dup = 0x12, op_drop, op_over, op_pick, op_swap, op_rotate,
  op_abs = 0x19, op_and, op_div, op_minus, op_mod, op_mul, op_neg, op_not, op_or, op_plus,
  op_plus_uleb, op_shl, op_shr, op_sar, op_xor, op_branch,
  op_eq = 0x29, op_ge, op_gt, op_le, op_lt, op_ne, op_jump,
  op_literal_0 = 0x30, op_literal_31 = 0x4F, op_register_0 = 0x70, op_register_31 = 0x8F,
  op_register_x = 0x92, op_deref_size = 0x94, op_nop = 0x96,
};

enum { deepest = 16, longest = 512 };

typedef struct {
  uint64_t value[deepest];
  uint32_t depth;
  bool failed;
  ms_bytes code;
  const uint8_t *start;
  const ms_registers *registers;
  ms_stack *stack;
} machine;

static void push(machine *run, uint64_t value) {
  if (run->depth == deepest) {
    run->failed = true;
  } else {
    run->value[run->depth++] = value;
  }
}

static uint64_t pop(machine *run) {
  if (run->depth > 0) return run->value[--run->depth];
  run->failed = true;
  return 0;
}

static uint64_t peek(machine *run, uint64_t distance) {
  if (distance < run->depth) return run->value[run->depth - 1 - distance];
  run->failed = true;
  return 0;
}

static void push_register(machine *run, uint64_t number, int64_t offset) {
  if (!ms_registers_know(run->registers, number)) {
    run->failed = true;
  } else {
    push(run, run->registers->value[number] + (uint64_t)offset);
  }
}

static void dereference(machine *run, uint64_t size) {
  uint64_t value = 0;
  uint64_t address = pop(run);
  if (size == 0 || size > 8 || !ms_stack_reach(run->stack, address, size)) {
    run->failed = true;
    return;
  }
  memcpy(&value, (const void *)address, size);
  push(run, value);
}

static void jump(machine *run) {
  int64_t distance = ms_bytes_signed(&run->code, 2);
  bool inside = distance >= run->start - run->code.at && distance <= run->code.end - run->code.at;
  if (inside) {
    run->code.at += distance;
  } else {
    run->failed = true;
  }
}

static bool push_constant(machine *run, uint8_t operation) {
  ms_bytes *code = &run->code;
  switch (operation) {
    case op_address: case op_const_u8: case op_const_s8:
      push(run, ms_bytes_unsigned(code, 8)); return true;
    case op_const_u1: push(run, ms_bytes_unsigned(code, 1)); return true;
    case op_const_s1: push(run, (uint64_t)ms_bytes_signed(code, 1)); return true;
    case op_const_u2: push(run, ms_bytes_unsigned(code, 2)); return true;
    case op_const_s2: push(run, (uint64_t)ms_bytes_signed(code, 2)); return true;
    case op_const_u4: push(run, ms_bytes_unsigned(code, 4)); return true;
    case op_const_s4: push(run, (uint64_t)ms_bytes_signed(code, 4)); return true;
    case op_const_uleb: push(run, ms_bytes_uleb(code)); return true;
    case op_const_sleb: push(run, (uint64_t)ms_bytes_sleb(code)); return true;
    default: return false;
  }
}

static bool rearrange(machine *run, uint8_t operation) {
  uint64_t top, second, third;
  switch (operation) {
    case op_dup: push(run, peek(run, 0)); return true;
    case op_drop: pop(run); return true;
    case op_over: push(run, peek(run, 1)); return true;
    case op_pick: push(run, peek(run, ms_bytes_unsigned(&run->code, 1))); return true;
    case op_swap:
      top = pop(run), second = pop(run);
      push(run, top), push(run, second);
      return true;
    case op_rotate:
      top = pop(run), second = pop(run), third = pop(run);
      push(run, top), push(run, third), push(run, second);
      return true;
    default: return false;
  }
}

static bool compute_one(machine *run, uint8_t operation) {
  int64_t top;
  switch (operation) {
    case op_abs: top = (int64_t)pop(run); push(run, top < 0 ? -(uint64_t)top : (uint64_t)top);
      return true;
    case op_neg: push(run, -pop(run)); return true;
    case op_not: push(run, ~pop(run)); return true;
    case op_plus_uleb: push(run, pop(run) + ms_bytes_uleb(&run->code)); return true;
    case op_deref: dereference(run, 8); return true;
    case op_deref_size: dereference(run, ms_bytes_unsigned(&run->code, 1)); return true;
    default: return false;
  }
}

static bool compute_two(machine *run, uint8_t operation) {
  uint64_t right = pop(run), left = pop(run);
  int64_t right_signed = (int64_t)right, left_signed = (int64_t)left;
  switch (operation) {
    case op_and: push(run, left & right); return true;
    case op_div:
      if (right == 0 || (right_signed == -1 && left_signed == INT64_MIN)) return false;
      push(run, (uint64_t)(left_signed / right_signed));
      return true;
    case op_mod:
      if (right == 0) return false;
      push(run, left % right);
      return true;
    case op_minus: push(run, left - right); return true;
    case op_mul: push(run, left * right); return true;
    case op_or: push(run, left | right); return true;
    case op_plus: push(run, left + right); return true;
    case op_shl: push(run, right > 63 ? 0 : left << right); return true;
    case op_shr: push(run, right > 63 ? 0 : left >> right); return true;
    case op_sar: push(run, (uint64_t)(left_signed >> (right > 63 ? 63 : right))); return true;
    case op_xor: push(run, left ^ right); return true;
    case op_eq: push(run, left_signed == right_signed); return true;
    case op_ge: push(run, left_signed >= right_signed); return true;
    case op_gt: push(run, left_signed > right_signed); return true;
    case op_le: push(run, left_signed <= right_signed); return true;
    case op_lt: push(run, left_signed < right_signed); return true;
    case op_ne: push(run, left_signed != right_signed); return true;
    default: return false;
  }
}

static bool execute(machine *run, uint8_t operation) {
  if (operation >= op_literal_0 && operation <= op_literal_31) {
    push(run, operation - op_literal_0);
    return true;
  }
  if (operation >= op_register_0 && operation <= op_register_31) {
    push_register(run, operation - op_register_0, ms_bytes_sleb(&run->code));
    return true;
  }
  if (operation == op_register_x) {
    uint64_t number = ms_bytes_uleb(&run->code);
    push_register(run, number, ms_bytes_sleb(&run->code));
    return true;
  }
  if (operation == op_jump || (operation == op_branch && pop(run) != 0)) {
    jump(run);
    return true;
  }
  if (operation == op_branch) {
    ms_bytes_skip(&run->code, 2);
    return true;
  }
  if (operation == op_nop) return true;
  return push_constant(run, operation) || rearrange(run, operation)
      || compute_one(run, operation) || compute_two(run, operation);
}

bool ms_expression_evaluate(const uint8_t *expression, const uint8_t *end,
                            const ms_registers *registers, const uint64_t *initial,
                            ms_stack *stack, uint64_t *result) {
  machine run = {.registers = registers, .stack = stack};
  ms_bytes bytes = {expression, end, expression >= end};
  uint64_t length = ms_bytes_uleb(&bytes);
  run.code = ms_bytes_take(&bytes, length);
  run.start = run.code.at;
  if (initial != NULL) push(&run, *initial);
  for (uint32_t steps = 0; ms_bytes_left(&run.code); steps++) {
    if (steps == longest || !execute(&run, ms_bytes_byte(&run.code)) || run.failed) return false;
  }
  *result = pop(&run);
  return !run.failed && !run.code.failed;
}

MS_WALKS_END
#endif

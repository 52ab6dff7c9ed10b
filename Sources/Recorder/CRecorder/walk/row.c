#include "eh_frame.h"

#if MS_HAS_RULES
MS_WALKS_BEGIN

// Call frame instructions (DW_CFA_…). The first three have an operand in their low six bits.
enum {
  cfa_advance = 0x40, cfa_offset = 0x80, cfa_restore = 0xC0,
  cfa_nop = 0x00, cfa_set_location = 0x01,
  cfa_advance_1 = 0x02, cfa_advance_2 = 0x03, cfa_advance_4 = 0x04,
  cfa_offset_extended = 0x05, cfa_restore_extended = 0x06, cfa_undefined = 0x07,
  cfa_same_value = 0x08, cfa_register = 0x09,
  cfa_remember_state = 0x0A, cfa_restore_state = 0x0B,
  cfa_define = 0x0C, cfa_define_register = 0x0D, cfa_define_offset = 0x0E,
  cfa_define_expression = 0x0F, cfa_expression = 0x10,
  cfa_offset_signed = 0x11, cfa_define_signed = 0x12, cfa_define_offset_signed = 0x13,
  cfa_value_offset = 0x14, cfa_value_offset_signed = 0x15, cfa_value_expression = 0x16,
  cfa_negate_signed_with_address = 0x2C, cfa_negate_signed = 0x2D,  // arm64 only
  cfa_arguments_size = 0x2E, cfa_negative_offset_extended = 0x2F,
};

enum { deepest_memory = 8 };  // compilers nest remember_state at most two levels deep

typedef struct {
  const ms_function_information *function;
  ms_row row;
  ms_row initial;  // the row after the CIE's program; cfa_restore restores from it
  ms_row memory[deepest_memory];
  uint32_t remembered;
  uintptr_t location;
  uintptr_t target;
} interpreter;

static bool set(ms_row *row, uint64_t number, ms_place place, int64_t value) {
  // Vector registers and others may have rules too; no walk needs these rules.
  if (number >= ms_register_count) return true;
  row->place[number] = (uint8_t)place;
  row->value[number] = value;
  return true;
}

static bool restore(interpreter *run, uint64_t number) {
  if (number >= ms_register_count) return true;
  return set(&run->row, number, run->initial.place[number], run->initial.value[number]);
}

static bool define(ms_row *row, uint64_t number, int64_t offset) {
  row->cfa_register = (uint8_t)number;
  row->cfa_offset = offset;
  row->cfa_expression = NULL;
  return number < ms_register_count;
}

static const uint8_t *expression(ms_bytes *program) {
  const uint8_t *start = program->at;
  ms_bytes_skip(program, ms_bytes_uleb(program));
  return start;
}

static bool remember(interpreter *run) {
  if (run->remembered == deepest_memory) return false;
  run->memory[run->remembered++] = run->row;
  return true;
}

static bool recall(interpreter *run) {
  if (run->remembered == 0) return false;
  run->row = run->memory[--run->remembered];
  return true;
}

// Executes an instruction that sets the rule of a register.
static bool place_register(interpreter *run, ms_bytes *program, uint8_t operation) {
  int64_t unit = run->function->data_alignment;
  ms_row *row = &run->row;
  uint64_t number = ms_bytes_uleb(program);
  switch (operation) {
    case cfa_offset_extended:
      return set(row, number, MS_PLACE_AT_OFFSET, (int64_t)ms_bytes_uleb(program) * unit);
    case cfa_offset_signed:
      return set(row, number, MS_PLACE_AT_OFFSET, ms_bytes_sleb(program) * unit);
    case cfa_negative_offset_extended:
      return set(row, number, MS_PLACE_AT_OFFSET, -(int64_t)ms_bytes_uleb(program) * unit);
    case cfa_value_offset:
      return set(row, number, MS_PLACE_IS_OFFSET, (int64_t)ms_bytes_uleb(program) * unit);
    case cfa_value_offset_signed:
      return set(row, number, MS_PLACE_IS_OFFSET, ms_bytes_sleb(program) * unit);
    case cfa_restore_extended: return restore(run, number);
    case cfa_undefined: return set(row, number, MS_PLACE_UNDEFINED, 0);
    case cfa_same_value: return set(row, number, MS_PLACE_SAME, 0);
    case cfa_register:
      return set(row, number, MS_PLACE_IN_REGISTER, (int64_t)ms_bytes_uleb(program));
    case cfa_expression:
      return set(row, number, MS_PLACE_AT_EXPRESSION, (int64_t)expression(program));
    case cfa_value_expression:
      return set(row, number, MS_PLACE_IS_EXPRESSION, (int64_t)expression(program));
    default: return false;
  }
}

// Executes an instruction that defines the CFA, saves or restores rows, or does not affect a walk.
static bool execute(interpreter *run, ms_bytes *program, uint8_t operation) {
  int64_t unit = run->function->data_alignment;
  ms_row *row = &run->row;
  uint64_t number;
  switch (operation) {
    case cfa_nop: return true;
#if defined(__aarch64__)
    // Return addresses are signed from here on. Rows need not record that, because the walk strips the signature from
    // every address, and stripping does not change an unsigned address.
    case cfa_negate_signed: return true;
    case cfa_negate_signed_with_address: ms_bytes_uleb(program); return true;
#endif
    case cfa_arguments_size: ms_bytes_uleb(program); return true;
    case cfa_remember_state: return remember(run);
    case cfa_restore_state: return recall(run);
    case cfa_define:
      number = ms_bytes_uleb(program);
      return define(row, number, (int64_t)ms_bytes_uleb(program));
    case cfa_define_signed:
      number = ms_bytes_uleb(program);
      return define(row, number, ms_bytes_sleb(program) * unit);
    case cfa_define_register: return define(row, ms_bytes_uleb(program), row->cfa_offset);
    case cfa_define_offset:
      return define(row, row->cfa_register, (int64_t)ms_bytes_uleb(program));
    case cfa_define_offset_signed:
      return define(row, row->cfa_register, ms_bytes_sleb(program) * unit);
    case cfa_define_expression: row->cfa_expression = expression(program); return true;
    default: return place_register(run, program, operation);
  }
}

// Executes an instruction that advances the location. Returns false if `operation` is of another kind.
static bool advance(interpreter *run, ms_bytes *program, uint8_t operation) {
  uint64_t unit = run->function->code_alignment;
  if ((operation & 0xC0) == cfa_advance) {
    run->location += (operation & 0x3F) * unit;
    return true;
  }
  switch (operation) {
    case cfa_advance_1: run->location += ms_bytes_unsigned(program, 1) * unit; return true;
    case cfa_advance_2: run->location += ms_bytes_unsigned(program, 2) * unit; return true;
    case cfa_advance_4: run->location += ms_bytes_unsigned(program, 4) * unit; return true;
    case cfa_set_location:
      run->location = ms_bytes_pointer(program, run->function->pointer_encoding, 0);
      return true;
    default: return false;
  }
}

static bool interpret(interpreter *run, ms_bytes program) {
  while (ms_bytes_left(&program)) {
    uint8_t operation = ms_bytes_byte(&program);
    uint64_t number = operation & 0x3F;
    bool understood = true;
    if (advance(run, &program, operation)) {
      if (run->location > run->target) return !program.failed;
    } else if ((operation & 0xC0) == cfa_offset) {
      int64_t offset = (int64_t)ms_bytes_uleb(&program) * run->function->data_alignment;
      understood = set(&run->row, number, MS_PLACE_AT_OFFSET, offset);
    } else if ((operation & 0xC0) == cfa_restore) {
      understood = restore(run, number);
    } else {
      understood = execute(run, &program, operation);
    }
    if (!understood) return false;
  }
  return !program.failed;
}

bool ms_row_compute(const ms_function_information *function, uintptr_t address, ms_row *row) {
  interpreter run;
  run.function = function;
  run.remembered = 0;
  run.target = address;
  run.location = function->start;
  memset(&run.row, 0, sizeof run.row);
  run.row.cfa_register = ms_register_count;  // undefined until the program defines it
  run.row.signal_frame = function->signal_frame;
  run.row.object_end = function->object_end;
  run.initial = run.row;
  if (!interpret(&run, function->common_program)) return false;
  run.initial = run.row;
  run.location = function->start;
  if (!interpret(&run, function->program)) return false;
  *row = run.row;
  return row->cfa_expression != NULL || row->cfa_register < ms_register_count;
}

static bool fits(uint64_t value, uint64_t most) { return value <= most && value % 8 == 0; }

#if defined(__aarch64__)
/// Returns the compact rule of a row that saves the return address and the caller's fp in adjacent words, or only the
/// return address.
static ms_rule rule_of(const ms_row *row) {
  const ms_rule general = ms_rule_make(MS_RULE_GENERAL, 0, 0);
  uint64_t offset = (uint64_t)row->cfa_offset;
  bool is_usual = row->place[ms_return] == MS_PLACE_AT_OFFSET && row->place[ms_sp] == MS_PLACE_SAME &&
                  row->cfa_expression == NULL && fits(offset, ms_rule_most_cfa);
  if (!is_usual || (row->cfa_register != ms_sp && row->cfa_register != ms_fp)) return general;
  uint64_t saved = offset + (uint64_t)row->value[ms_return];  // offset from the CFA's base register
  if (row->place[ms_fp] == MS_PLACE_SAME) {
    bool is_alone = row->cfa_register == ms_sp && fits(saved, ms_rule_most_slot) && saved < offset;
    return is_alone ? ms_rule_make(MS_RULE_RETURN_ALONE, offset, saved) : general;
  }
  uint64_t record = saved - 8;
  bool is_record = row->place[ms_fp] == MS_PLACE_AT_OFFSET && row->value[ms_fp] + 8 == row->value[ms_return] &&
                   fits(record, ms_rule_most_slot) && saved < offset;
  if (!is_record) return general;
  if (row->cfa_register == ms_sp) return ms_rule_make(MS_RULE_FROM_SP, offset, record);
  if (offset == ms_rule_frame_offset && record == ms_rule_frame_slot) return MS_RULE_FRAME_POINTER;
  return ms_rule_make(MS_RULE_FROM_FP, offset, record);
}
#else
// Returns true for gcc's realigned frames: CFA = [rbp - N], with the caller's rbp saved at [rbp].
static bool is_realigned(const ms_row *row, uint64_t *offset) {
  enum { op_deref = 0x06, op_breg_rbp = 0x76 };
  if (row->cfa_expression == NULL || row->place[ms_fp] != MS_PLACE_AT_EXPRESSION) return false;
  const uint8_t *saved = (const uint8_t *)row->value[ms_fp];
  if (saved[0] != 2 || saved[1] != op_breg_rbp || saved[2] != 0) return false;
  ms_bytes cfa = {row->cfa_expression, row->object_end, false};
  uint64_t length = ms_bytes_uleb(&cfa);
  ms_bytes block = ms_bytes_take(&cfa, length);
  if (ms_bytes_byte(&block) != op_breg_rbp) return false;
  *offset = (uint64_t)-ms_bytes_sleb(&block);
  return ms_bytes_byte(&block) == op_deref && !block.failed && block.at == block.end;
}

// Returns true if the row has the layout of a normal call: the return address directly below the CFA, and rsp equal
// to the CFA.
static bool is_ordinary(const ms_row *row) {
  return row->place[ms_pc] == MS_PLACE_AT_OFFSET && row->value[ms_pc] == -8
      && row->place[ms_sp] == MS_PLACE_SAME;
}

static ms_rule rule_of(const ms_row *row) {
  uint64_t offset = (uint64_t)row->cfa_offset;
  uint64_t slot = 0;
  const ms_rule general = ms_rule_make(MS_RULE_GENERAL, 0, 0);
  if (!is_ordinary(row)) return general;
  if (is_realigned(row, &offset) && fits(offset, ms_rule_most_cfa)) {
    return ms_rule_make(MS_RULE_REALIGNED, offset, 0);
  }
  if (row->place[ms_fp] == MS_PLACE_AT_OFFSET) {
    slot = (uint64_t)-row->value[ms_fp];
    if (slot < 16) return general;
  } else if (row->place[ms_fp] != MS_PLACE_SAME) {
    return general;
  }
  if (row->cfa_expression != NULL || !fits(offset, ms_rule_most_cfa)
      || !fits(slot, ms_rule_most_slot)) {
    return general;
  }
  if (row->cfa_register == ms_sp && offset >= 8 && slot <= offset) {
    return ms_rule_make(MS_RULE_FROM_SP, offset, slot);
  }
  if (row->cfa_register != ms_fp || offset < 8) return general;
  if (offset == 16 && slot == 16) return MS_RULE_FRAME_POINTER;
  return ms_rule_make(MS_RULE_FROM_FP, offset, slot);
}
#endif

ms_rule ms_row_rule(const ms_row *row) {
  if (row->signal_frame) return ms_rule_make(MS_RULE_SIGNAL, 0, 0);
  if (row->place[ms_return] == MS_PLACE_UNDEFINED) return ms_rule_make(MS_RULE_OUTERMOST, 0, 0);
  return rule_of(row);
}

MS_WALKS_END
#endif

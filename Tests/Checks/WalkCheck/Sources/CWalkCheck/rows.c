#include "CWalkCheck.h"

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ucontext.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "CRecorder.h"
#include "../../../../../Sources/Recorder/CRecorder/walk/stepper.h"
#include "made_context.h"

// A stack of words that are all different, and registers that point to different places in it:
// two rows that lead to equal values are equal rows.
enum { third = 1 << 19, stack_words = 3 * third, most_shown = 10 };
static uint64_t *stack;

static struct {
  uint64_t objects, functions, rows, incomparable, different;
} found;

static ms_stack whole_stack(void) {
  return (ms_stack){(uintptr_t)stack, (uintptr_t)(stack + stack_words), true};
}

// Every word points into the middle third, for rules that follow a pointer (or two), and within a
// third no two are equal.
static void fill_stack(void) {
  stack = malloc(stack_words * sizeof *stack);
  for (uint64_t index = 0; index < stack_words; index++) {
    uint64_t place = index * UINT64_C(0x9E3779B97F4A7C15) % third;
    stack[index] = (uint64_t)(stack + third + place);
  }
}

static void fill_registers(uintptr_t address, ms_registers *registers, ucontext_t *context) {
  memset(context, 0, sizeof *context);
  *registers = (ms_registers){.known = 0, .exact = true};
  for (uint32_t number = 0; number < ms_register_count; number++) {
    uint64_t place = stack_words / 2 + number * 4098;
    if (number == ms_sp) place = third;
    uint64_t value = number == ms_pc ? address : (uint64_t)(stack + place);
    ms_registers_set(registers, number, value);
    ms_set_register(context, number, value);
  }
}

static void report(uintptr_t address, const char *what, uint64_t theirs, uint64_t ours) {
  if (found.different++ >= most_shown) return;
  Dl_info info = {0};
  dladdr((void *)address, &info);
  printf("  %s+%lx (%s): %s is %lx, libunwind's %lx\n", info.dli_fname,
         address - (uintptr_t)info.dli_fbase, info.dli_sname, what, ours, theirs);
}

// Few functions (setcontext, longjmp) place rsp anywhere but at the CFA. libunwind then reports the
// CFA all the same, and goes on from where rsp is.
static bool places_rsp(uintptr_t address) {
  ms_row row;
  bool permanent;
  return ms_row_find(address, &row, &permanent) == MS_COVERED && row.place[ms_sp] != MS_PLACE_SAME;
}

static bool stepped_equally(uintptr_t address, ms_step_result result, unw_cursor_t *theirs,
                            const ms_registers *ours) {
  static const struct {
    unw_regnum_t their_number;
    uint32_t our_number;
    const char *name;
  } compared[] = {
#if defined(__aarch64__)
      {UNW_REG_IP, ms_pc, "pc"}, {UNW_AARCH64_SP, ms_sp, "sp"}, {UNW_AARCH64_X29, ms_fp, "x29"},
      {UNW_AARCH64_X19, 19, "x19"}, {UNW_AARCH64_X20, 20, "x20"}, {UNW_AARCH64_X21, 21, "x21"},
      {UNW_AARCH64_X22, 22, "x22"}, {UNW_AARCH64_X27, 27, "x27"}, {UNW_AARCH64_X28, 28, "x28"},
#else
      {UNW_X86_64_RIP, ms_pc, "rip"}, {UNW_X86_64_RSP, ms_sp, "rsp"}, {UNW_X86_64_RBP, ms_fp, "rbp"},
      {UNW_X86_64_RBX, 3, "rbx"}, {UNW_X86_64_R12, 12, "r12"}, {UNW_X86_64_R13, 13, "r13"},
      {UNW_X86_64_R14, 14, "r14"}, {UNW_X86_64_R15, 15, "r15"},
#endif
  };
  for (uint32_t index = 0; index < sizeof compared / sizeof *compared; index++) {
    unw_word_t value = 0;
    int failed = unw_get_reg(theirs, compared[index].their_number, &value);
    if (index == 0 && (failed || value == 0)) {
      if (result == MS_STEPPED) report(address, "rip", 0, ours->value[ms_pc]);
      return result != MS_STEPPED;
    }
    if (result != MS_STEPPED) {
      report(address, "the step's result", 0, result);
      return false;
    }
    if (failed || (compared[index].our_number == ms_sp && places_rsp(address))) continue;
    if (value != ours->value[compared[index].our_number]) {
      report(address, compared[index].name, value, ours->value[compared[index].our_number]);
      return false;
    }
  }
  return true;
}

// What a rule word says, read anew: the hot loop's own reading is compared by the walk below.
typedef struct {
  uint64_t cfa, fp;
} rule_result;

#if defined(__aarch64__)
static rule_result apply(ms_rule rule, const ms_registers *before) {
  uint64_t sp = before->value[ms_sp], fp = before->value[ms_fp];
  uint64_t offset = ms_rule_cfa_offset(rule), slot = ms_rule_slot(rule);
  switch (ms_rule_kind_of(rule)) {
    case MS_RULE_FROM_SP: return (rule_result){sp + offset, *(uint64_t *)(sp + slot)};
    case MS_RULE_FROM_FP: return (rule_result){fp + offset, *(uint64_t *)(fp + slot)};
    case MS_RULE_RETURN_ALONE: return (rule_result){sp + offset, fp};
    default: return (rule_result){fp + 16, *(uint64_t *)fp};
  }
}
#else
static rule_result apply(ms_rule rule, const ms_registers *before) {
  uint64_t sp = before->value[ms_sp], fp = before->value[ms_fp];
  uint64_t offset = ms_rule_cfa_offset(rule), slot = ms_rule_slot(rule);
  if (rule == MS_RULE_FRAME_POINTER) return (rule_result){fp + 16, *(uint64_t *)fp};
  if (ms_rule_kind_of(rule) == MS_RULE_REALIGNED) return (rule_result){*(uint64_t *)(fp - offset), *(uint64_t *)fp};
  uint64_t cfa = offset + (ms_rule_kind_of(rule) == MS_RULE_FROM_SP ? sp : fp);
  return (rule_result){cfa, slot ? *(uint64_t *)(cfa - slot) : fp};
}
#endif

static void check_rule(uintptr_t address, const ms_registers *before, ms_step_result result,
                       const ms_registers *after) {
  ms_row row;
  bool permanent;
  if (ms_row_find(address, &row, &permanent) != MS_COVERED) return;
  ms_rule rule = ms_row_rule(&row);
  switch (ms_rule_kind_of(rule)) {
    case MS_RULE_OUTERMOST:
      if (result == MS_STEPPED) report(address, "the rule's kind", 0, MS_RULE_OUTERMOST);
      return;
    case MS_RULE_GENERAL: case MS_RULE_SIGNAL: return;
    case MS_RULE_UNKNOWN: report(address, "the rule", 0, rule); return;
    default: break;
  }
  if (result != MS_STEPPED) return;
  rule_result found_by_rule = apply(rule, before);
  if (found_by_rule.cfa != after->value[ms_sp]) report(address, "the rule's CFA", after->value[ms_sp], found_by_rule.cfa);
  if (found_by_rule.fp != after->value[ms_fp]) report(address, "the rule's fp", after->value[ms_fp], found_by_rule.fp);
}

// What a call in `address` leaves where the callee has not built a frame yet: its return address on top of the stack,
// or on arm64 in its register.
#if defined(__aarch64__)
static uintptr_t return_to(uintptr_t address) { return (address & ~UINT64_C(3)) + 4; }
static void leave_return(ucontext_t *context, uintptr_t to) { ms_set_register(context, ms_return, to); }
#else
static uintptr_t return_to(uintptr_t address) { return address + 1; }
static void leave_return(ucontext_t *context, uintptr_t to) {
  uint64_t *top = (uint64_t *)context->uc_mcontext.gregs[REG_RSP] - 1;
  *top = to;
  ms_set_register(context, ms_sp, (uint64_t)top);
}
#endif

// The hot loop, twice: a call's return address, whose rule is then used.
static void check_walk(uintptr_t address) {
  ms_registers registers, caller;
  ucontext_t context;
  uintptr_t to = return_to(address);
  fill_registers(to, &caller, &context);
  caller.exact = false;
  if (ms_return != ms_pc) caller.known &= ~(UINT64_C(1) << ms_return);
  ms_stack bounds = whole_stack();
  ms_step_result result = ms_step(&caller, &bounds);
  uint64_t expected = result == MS_STEPPED ? caller.value[ms_pc] : 0;
  fill_registers((uintptr_t)&ms_check_rows, &registers, &context);
  uint64_t *below = (uint64_t *)registers.value[ms_sp] - 1, kept = *below;
  leave_return(&context, to);
  for (int again = 0; again < 2; again++) {
    uintptr_t frames[3] = {0};
    ms_walk_end end;
    uint32_t count =
        ms_walk_context_within(&context, bounds.low, bounds.high, frames, 3, &end);
    if (count < 2 || frames[1] != to || frames[2] != expected) {
      report(address, "the walk's frame", expected, frames[2]);
    }
  }
  *below = kept;
}

// libunwind cannot apply a row whose CFA is in memory to registers that are made up.
static bool is_comparable(uintptr_t address) {
  enum { op_deref = 0x06 };
  ms_row row;
  bool permanent;
  ms_coverage coverage = ms_row_find(address, &row, &permanent);
  if (coverage != MS_COVERED || row.cfa_expression == NULL) return true;
  if (ms_rule_kind_of(ms_row_rule(&row)) != MS_RULE_GENERAL) return true;
  return memchr(row.cfa_expression + 1, op_deref, row.cfa_expression[0]) == NULL;
}

static int check_address(uintptr_t address, void *state) {
  ms_registers registers, before;
  ucontext_t context;
  unw_cursor_t cursor;
  fill_registers(address, &registers, &context);
  if (unw_init_local2(&cursor, (unw_context_t *)&context, UNW_INIT_SIGNAL_FRAME) != 0) return 0;
  unw_apply_reg_state(&cursor, state);
  before = registers;
  ms_stack bounds = whole_stack();
  ms_step_result result = ms_step(&registers, &bounds);
  if (stepped_equally(address, result, &cursor, &registers)) {
    check_rule(address, &before, result, &registers);
    if (!registers.exact) check_walk(address);
  }
  return 0;
}

static int check_row(void *token, void *state, size_t size, unw_word_t start, unw_word_t end) {
  (void)token, (void)size;
  found.rows++;
  if (!is_comparable(start)) {
    found.incomparable++;
    return 0;
  }
  check_address(start, state);
  if (end > start + 1) check_address(end - 1, state);
  return 0;
}

static void check_function(uintptr_t start) {
  ms_registers registers;
  ucontext_t context;
  unw_cursor_t cursor;
  fill_registers(start, &registers, &context);
  if (unw_init_local2(&cursor, (unw_context_t *)&context, UNW_INIT_SIGNAL_FRAME) != 0) return;
  found.functions++;
  unw_reg_states_iterate(&cursor, check_row, NULL);
}

static int check_object(struct dl_phdr_info *info, size_t size, void *token) {
  (void)size, (void)token;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (info->dlpi_phdr[index].p_type != PT_GNU_EH_FRAME) continue;
    const char *header = (const char *)(info->dlpi_addr + info->dlpi_phdr[index].p_vaddr);
    uint32_t count;
    memcpy(&count, header + 8, sizeof count);
    found.objects++;
    for (uint32_t entry = 0; entry < count; entry++) {
      int32_t offset;
      memcpy(&offset, header + 12 + entry * 8, sizeof offset);
      check_function((uintptr_t)(header + offset));
    }
  }
  return 0;
}

// Libraries that services are likely to load besides their own.
static void open_system_libraries(void) {
  static const char *const names[] = {
      "libcrypto.so.3", "libssl.so.3", "libsqlite3.so.0", "libxml2.so.2", "libcurl.so.4",
      "libz.so.1", "libgnutls.so.30", "libdw.so.1", "libelf.so.1", "libpq.so.5", "libldap-2.5.so.0",
      "libkrb5.so.3", "liblzma.so.5", "libzstd.so.1", "libicuuc.so.72", "libgmp.so.10",
      "libnettle.so.8", "libuuid.so.1", "libexpat.so.1", "libpython3.11.so.1.0"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    dlopen(names[index], RTLD_LAZY);
  }
}

bool ms_check_rows(void) {
  fill_stack();
  open_system_libraries();
  dl_iterate_phdr(check_object, NULL);
  printf("rows: %lu objects, %lu functions, %lu rows; %lu not comparable; %lu different\n",
         found.objects, found.functions, found.rows, found.incomparable, found.different);
  free(stack);
  return found.different == 0 && found.rows > 0;
}

#include "above.h"
#include "engine.h"
#include "stepper.h"

#if MS_HAS_RULES

MS_WALKS_BEGIN

static uint32_t written(const ms_walk *walk) { return walk->next > 0 ? (uint32_t)walk->next : 0; }

static ms_walk_end end_of(ms_step_result result) {
  switch (result) {
    case MS_STEP_OUTERMOST: return MS_WALK_COMPLETE;
    case MS_STEP_BAD_STACK: return MS_WALK_BAD_STACK;
    case MS_STEP_NO_RULE: case MS_STEPPED: break;
  }
  return MS_WALK_NO_RULE;
}

/// Goes on, where the stack ended, with who waits for the async function that the walk came through.
static ms_walk_end take_callers(ms_walk *walk, ms_walk_end end) {
  if (walk->context_at == 0 || walk->next < 0) return end;
  ms_asking asking = walk->interrupted != NULL ? MS_ASK_ALWAYS : MS_ASK_ONCE;
  uintptr_t context = walk->context ? walk->context : word_at(walk->context_at);
  walk->next += ms_async_callers(context, asking, walk->frames + walk->next,
                                 (uint32_t)(walk->capacity - walk->next), &end);
  return end;
}

static void take_place(ms_walk *walk, const ms_registers *registers) {
  walk->pc = registers->value[ms_rip];
  walk->sp = registers->value[ms_rsp];
  walk->rbp = registers->value[ms_rbp];
}

/// Notes the context of an async function that was interrupted itself, anywhere in it: where its frame
/// is not built, or is gone again, the context is in its register.
static void note_interrupted(ms_walk *walk, const ms_interrupted *at, const ms_registers *caller) {
  if (walk->context_at != 0 || !ms_is_task_return(caller->value[ms_rip])) return;
  take_place(walk, caller);
  note_async_frame(walk);
  if (walk->context_at == 0) return;
  bool is_built = at->sp <= walk->context_at;
  uintptr_t context = is_built ? word_at(walk->context_at) : at->context;
  walk->context = ms_async_own_context(context, at);
}

/// Walks with the stepper, to the end or, unless `wholly`, to the next return address.
static bool step_on(ms_walk *walk, ms_registers *registers, bool wholly, ms_walk_end *end) {
  while (registers->exact || wholly) {
    if (walk->next >= walk->capacity) {
      *end = MS_WALK_LIMIT;
      return false;
    }
    take_place(walk, registers);
    note_async_frame(walk);
    write_frame(walk, walk->next >= 0);
    bool exact = registers->exact;
    ms_interrupted at = {registers->value[ms_rip], registers->value[ms_rsp], registers->value[ms_r14]};
    ms_step_result result = ms_step(registers, &walk->stack);
    if (result != MS_STEPPED) {
      *end = take_callers(walk, end_of(result));
      return false;
    }
    if (exact) note_interrupted(walk, &at, registers);
  }
  take_place(walk, registers);
  return ms_registers_know(registers, ms_rbp);
}

// The rule of a return address, from unwind information, and remembered if it holds for ever.
static ms_rule find_rule(uintptr_t pc) {
  ms_row row;
  bool permanent;
  ms_rule rule = MS_RULE_FRAME_POINTER;  // where an object says nothing, libunwind's guess
  ms_coverage coverage = ms_row_find(pc - 1, &row, &permanent);
  if (coverage == MS_COVERED) rule = ms_row_rule(&row);
  if (coverage == MS_NO_OBJECT || coverage == MS_NOT_READABLE) {
    return ms_rule_make(MS_RULE_UNKNOWN, 0, 0);
  }
  // The hot loop does not look at what it follows frame pointers through: here it has to.
  if (rule == MS_RULE_FRAME_POINTER && ms_is_task_return(pc)) {
    rule = ms_rule_make(MS_RULE_FROM_RBP, 16, 16);
  }
  if (permanent) ms_rule_remember(pc, rule);
  return rule;
}

static void registers_from_context(const ucontext_t *context, ms_registers *registers) {
  static const uint8_t in_dwarf_order[ms_register_count] = {
      REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
      REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  *registers = (ms_registers){.known = 0, .exact = true};
  for (uint32_t number = 0; number < ms_register_count; number++) {
    uint64_t value = (uint64_t)context->uc_mcontext.gregs[in_dwarf_order[number]];
    ms_registers_set(registers, number, value);
  }
}

// The registers of the frame that called `ms_walk_here`: our own frames are stepped over.
static __attribute__((noinline)) bool registers_of_caller(ms_walk *walk, ms_registers *registers) {
  *registers = (ms_registers){.known = 0, .exact = true};
  __asm__ volatile(
      "movq %%rbx, 24(%0)\n movq %%rbp, 48(%0)\n movq %%rsp, 56(%0)\n"
      "movq %%r12, 96(%0)\n movq %%r13, 104(%0)\n movq %%r14, 112(%0)\n movq %%r15, 120(%0)\n"
      "leaq 0f(%%rip), %%rax\n movq %%rax, 128(%0)\n 0:"
      :
      : "D"(registers->value)
      : "rax", "memory");
  registers->known = 1 << ms_rbx | 1 << ms_rbp | 1 << ms_rsp | 0xF << ms_r12 | 1 << ms_rip;
  ms_stack stack = ms_stack_learn(registers->value[ms_rsp]);
  while (registers->value[ms_rsp] < walk->first_sp) {
    if (ms_step(registers, &stack) != MS_STEPPED) return false;
  }
  return registers->value[ms_rsp] == walk->first_sp;
}

/// Begins again from the first frame, with all registers and without the table.
static ms_walk_end walk_wholly(ms_walk *walk) {
  ms_registers registers;
  ms_walk_end end = MS_WALK_NO_RULE;
  if (walk->interrupted != NULL) {
    registers_from_context(walk->interrupted, &registers);
  } else if (walk->first_sp == 0 || !registers_of_caller(walk, &registers)) {
    return MS_WALK_NO_RULE;
  }
  walk->next = walk->first;
  walk->context_at = walk->context = 0;
  step_on(walk, &registers, true, &end);
  return end;
}

static bool step_from(ms_walk *walk, ms_walk_end *end) {
  ms_registers registers = {.known = 0, .exact = false};
  ms_registers_set(&registers, ms_rip, walk->pc);
  ms_registers_set(&registers, ms_rsp, walk->sp);
  ms_registers_set(&registers, ms_rbp, walk->rbp);
  ms_step_result result = ms_step(&registers, &walk->stack);
  if (result == MS_STEPPED) return step_on(walk, &registers, false, end);
  *end = take_callers(walk, end_of(result));
  return false;
}

// The hot loop only looks up, to where the known stack ends.
static obstacle follow_if_on_stack(ms_walk *walk) {
  bool on_stack = walk->sp >= walk->stack.low && walk->sp <= walk->stack.high;
  if (on_stack || walk->next >= walk->capacity) return follow(walk);
  write_frame(walk, walk->next >= 0);
  return OFF_STACK;
}

/// Walks to the end.
static ms_walk_end carry_on(ms_walk *walk) {
  ms_walk_end end = MS_WALK_NO_RULE;
  obstacle obstacle = GOING_ON;
  for (;;) {
    if (obstacle == UNKNOWN_RULE) {
      if (walk->pc == 0) {
        walk->next--;
        return take_callers(walk, MS_WALK_COMPLETE);
      }
      ms_rule rule = find_rule(walk->pc);
      obstacle = leave(walk, rule, ms_rule_cfa_offset(rule));
    }
    switch (obstacle) {
      case AT_END: return take_callers(walk, MS_WALK_COMPLETE);
      case OUT_OF_ROOM: return MS_WALK_LIMIT;
      case OFF_STACK: return MS_WALK_BAD_STACK;
      case NEEDS_REGISTERS: return walk_wholly(walk);
      case NEEDS_STEPPER:
        if (!step_from(walk, &end)) return end;
        break;
      case GOING_ON: case UNKNOWN_RULE: break;
    }
    obstacle = follow_if_on_stack(walk);
  }
}

/// The walk once more, with all that the hot loop may not call.
static __attribute__((noinline)) uint32_t walk_with_care(uintptr_t frame, uintptr_t *frames,
                                                         uint32_t capacity, uint32_t skip,
                                                         ms_walk_end *end) {
  ms_rule_reserve_zero();
  ms_walk walk = begin_above(frame, frames, capacity, skip);
  if (!ms_stack_holds(&walk.stack, walk.sp)) walk.stack = ms_stack_learn(walk.sp);
  *end = carry_on(&walk);
  if (ms_stack_holds(&walk.stack, walk.first_sp)) ms_stack_remember(&walk.stack);
  return written(&walk);
}

static MS_INLINE uint32_t walk_above(uintptr_t frame, uintptr_t *frames, uint32_t capacity,
                                     uint32_t skip, ms_walk_end *end) {
  ms_walk walk = begin_above(frame, frames, capacity, skip);
  if (ms_likely(ms_stack_holds(&walk.stack, walk.sp))) {
    obstacle obstacle = follow(&walk);
    if (ms_likely(obstacle == AT_END || obstacle == OUT_OF_ROOM)) {
      *end = obstacle == OUT_OF_ROOM ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
      if (ms_unlikely(walk.context_at != 0) && obstacle == AT_END) *end = take_callers(&walk, *end);
      return written(&walk);
    }
  }
  return walk_with_care(frame, frames, capacity, skip, end);
}

uint32_t ms_walk_above(uintptr_t frame, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                       ms_walk_end *end) {
  return walk_above(frame, frames, capacity, skip, end);
}

__attribute__((noinline))
uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  if (ms_uses_libunwind()) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    return ms_libunwind_from(caller, frames, capacity, skip, end);
  }
  // Asking for it makes the compiler keep a frame pointer in this function.
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  return walk_above(frame, frames, capacity, skip, end);
}

static uint32_t walk_context(const ucontext_t *context, ms_stack stack, uintptr_t *frames,
                             uint32_t capacity, ms_walk_end *end) {
  ms_walk walk = {.frames = frames, .capacity = capacity, .stack = stack, .interrupted = context};
  ms_registers registers;
  ms_rule_reserve_zero();
  registers_from_context(context, &registers);
  if (step_on(&walk, &registers, false, end)) *end = carry_on(&walk);
  return written(&walk);
}

uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end) {
  if (ms_uses_libunwind()) return ms_libunwind_context(context, frames, capacity, end);
  const ucontext_t *interrupted = context;
  uintptr_t sp = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP];
  return walk_context(interrupted, ms_stack_around(sp), frames, capacity, end);
}

uint32_t ms_walk_context_within(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  if (ms_uses_libunwind()) {
    *end = MS_WALK_UNAVAILABLE;
    return 0;
  }
  ms_stack stack = {stack_low, stack_high, true};
  if (stack_high < stack_low || stack_high < ms_lowest_stack) {
    stack.low = stack.high = ms_lowest_stack;  // no stack: nothing may be read
  }
  return walk_context(context, stack, frames, capacity, end);
}

// --- From where the runtime runs tasks

static void learn_return(uintptr_t address) {
  for (int place = 0; place < ms_task_places; place++) {
    uintptr_t known = 0;
    if (atomic_compare_exchange_strong(&ms_task_returns[place], &known, address)) {
      ms_walk_forget_rules();  // what was remembered of it is not what it is now
      return;
    }
    if (known == address) return;
  }
}

/// Whether those who wait for the function with this context can be told to the last.
static bool leads_to_the_end(uintptr_t context) {
  enum { most = 16 };
  uintptr_t frames[most];
  ms_walk_end end;
  return ms_async_callers(context, MS_ASK_ALWAYS, frames, most, &end) > 0 && end == MS_WALK_COMPLETE;
}

/// Learns that the runtime runs a task by the call that returns to `pc`, if what it called is an async function.
static bool learn_if_task(ms_stack *stack, uintptr_t pc, uintptr_t sp) {
  enum { context = 24 };
  uint64_t found;
  if (!ms_stack_read(stack, sp - context, &found) || !leads_to_the_end(found)) return false;
  learn_return(pc);
  return true;
}

__attribute__((noinline))
bool ms_walk_learn_task(void) {
  if (ms_uses_libunwind()) return false;
  ms_walk walk = {.first_sp = (uintptr_t)__builtin_frame_address(0) + 16};
  ms_registers registers;
  if (!registers_of_caller(&walk, &registers)) return false;
  ms_stack stack = ms_stack_learn(walk.first_sp);
  return ms_step(&registers, &stack) == MS_STEPPED &&
         learn_if_task(&stack, registers.value[ms_rip], registers.value[ms_rsp]);
}

/// Goes from caller to caller, to the runtime's function that runs tasks.
static bool learn_below(ms_registers *registers, ms_stack *stack, uintptr_t function, uint64_t size) {
  enum { most = 256 };
  uintptr_t pc = 0, sp = 0;
  for (int depth = 0; depth < most; depth++) {
    if (ms_step(registers, stack) != MS_STEPPED) return false;
    if (registers->value[ms_rip] - function < size) {
      // It calls the task's function itself, or another does so for it.
      return learn_if_task(stack, registers->value[ms_rip], registers->value[ms_rsp]) ||
             (pc && learn_if_task(stack, pc, sp));
    }
    pc = registers->value[ms_rip];
    sp = registers->value[ms_rsp];
  }
  return false;
}

__attribute__((noinline))
bool ms_walk_learn_task_below(uintptr_t function, uint64_t size) {
  if (ms_uses_libunwind()) return false;
  ms_walk walk = {.first_sp = (uintptr_t)__builtin_frame_address(0) + 16};
  ms_registers registers;
  if (!registers_of_caller(&walk, &registers)) return false;
  ms_stack stack = ms_stack_learn(walk.first_sp);
  return learn_below(&registers, &stack, function, size);
}

// --- Of another thread

bool ms_walk_learn_task_waiting(uintptr_t frame, uintptr_t function, uint64_t size) {
  if (ms_uses_libunwind() || !ms_is_readable(frame) || !ms_is_readable(frame + 8)) return false;
  ms_registers registers = {.known = 0, .exact = false};
  ms_registers_set(&registers, ms_rip, word_at(frame + 8));
  ms_registers_set(&registers, ms_rsp, frame + 16);
  ms_registers_set(&registers, ms_rbp, word_at(frame));
  ms_stack stack = ms_stack_around(frame);
  return learn_below(&registers, &stack, function, size);
}

uint32_t ms_walk_waiting(uintptr_t frame, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  *end = MS_WALK_BAD_STACK;
  if (!ms_is_readable(frame) || !ms_is_readable(frame + 8) || capacity == 0) return 0;
  if (ms_uses_libunwind()) {
    *end = MS_WALK_UNAVAILABLE;
    frames[0] = word_at(frame + 8);
    return 1;
  }
  ms_rule_reserve_zero();
  ms_walk walk = begin_above(frame, frames, capacity, 0);
  walk.stack = ms_stack_around(frame);
  // Its registers are not ours to begin again with.
  walk.first_sp = 0;
  *end = carry_on(&walk);
  return written(&walk);
}

MS_WALKS_END
#else

bool ms_walk_learn_task(void) { return false; }

bool ms_walk_learn_task_waiting(uintptr_t frame, uintptr_t function, uint64_t size) {
  (void)frame, (void)function, (void)size;
  return false;
}

uint32_t ms_walk_waiting(uintptr_t frame, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  *end = MS_WALK_UNAVAILABLE;
  if (capacity == 0) return 0;
  frames[0] = ((const uintptr_t *)frame)[1];
  return 1;
}

bool ms_walk_learn_task_below(uintptr_t function, uint64_t size) {
  (void)function, (void)size;
  return false;
}

__attribute__((noinline))
uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  return ms_libunwind_from(caller, frames, capacity, skip, end);
}

uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end) {
  return ms_libunwind_context(context, frames, capacity, end);
}

uint32_t ms_walk_context_within(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  (void)context, (void)stack_low, (void)stack_high, (void)frames, (void)capacity;
  *end = MS_WALK_UNAVAILABLE;
  return 0;
}
#endif

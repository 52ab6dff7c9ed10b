#include "ms_facts.h"
#include "caller_walk.h"
#include "engine.h"
#include "registers.h"

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

/// Appends the async callers of the innermost async function at the end of the stack.
static ms_walk_end take_callers(ms_walk *walk, ms_walk_end end) {
  if (walk->context_at == 0 || walk->next < 0) return end;
  ms_asking asking = walk->interrupted != NULL ? MS_ASK_ALWAYS : MS_ASK_ONCE;
  uintptr_t context = walk->context ? walk->context : word_at(walk->context_at);
  walk->next += ms_async_callers(context, asking, walk->frames + walk->next,
                                 (uint32_t)(walk->capacity - walk->next), &end);
  return end;
}

static void take_place(ms_walk *walk, const ms_registers *registers) {
  walk->pc = registers->value[ms_pc];
  walk->sp = registers->value[ms_sp];
  walk->fp = registers->value[ms_fp];
}

/// Makes one step and records the frame pointer of the callee, below which an async context may be stored.
static ms_step_result step(ms_walk *walk, ms_registers *registers) {
  uintptr_t frame = registers->value[ms_fp];
  ms_step_result result = ms_step(registers, &walk->stack);
  if (result == MS_STEPPED) note_left(walk, frame);
  return result;
}

/// Records the context of an async function that a signal interrupted at any instruction. Before the function has
/// built its frame and after it has removed the frame, the context is in a register.
static void note_interrupted(ms_walk *walk, const ms_interrupted *at, const ms_registers *caller) {
  if (walk->context_at != 0 || !ms_is_task_return(caller->value[ms_pc])) return;
  take_place(walk, caller);
  note_async_frame(walk);
  if (walk->context_at == 0) return;
  bool is_built = at->sp <= walk->context_at;
  uintptr_t context = is_built ? word_at(walk->context_at) : at->context;
  walk->context = ms_async_own_context(context, at);
}

/// Walks with the stepper, to the end if `wholly`, otherwise to the next frame whose pc is a return address. Returns
/// true if the caller can continue by compact rules.
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
    ms_interrupted at = {registers->value[ms_pc], registers->value[ms_sp], registers->value[ms_context_register]};
    ms_step_result result = step(walk, registers);
    if (result != MS_STEPPED) {
      *end = take_callers(walk, end_of(result));
      return false;
    }
    if (exact) note_interrupted(walk, &at, registers);
  }
  take_place(walk, registers);
  return ms_registers_know(registers, ms_fp);
}

// Returns the rule of a return address from unwind information. Caches the rule if the object is never unloaded.
static ms_rule find_rule(uintptr_t pc) {
  ms_row row;
  bool permanent;
  ms_rule rule = MS_RULE_FRAME_POINTER;  // the default for code without unwind information, as in libunwind
  ms_coverage coverage = ms_row_find(pc - 1, &row, &permanent);
  if (coverage == MS_COVERED) rule = ms_row_rule(&row);
  if (coverage == MS_NO_OBJECT || coverage == MS_NOT_READABLE) {
    return ms_rule_make(MS_RULE_UNKNOWN, 0, 0);
  }
  // The hot loop does not look for async frames under frame-pointer rules. Therefore the return address of the
  // runtime's task call gets an equivalent rule of another kind.
  if (rule == MS_RULE_FRAME_POINTER && ms_is_task_return(pc)) {
    rule = ms_rule_make(MS_RULE_FROM_FP, ms_rule_frame_offset, ms_rule_frame_slot);
  }
  if (permanent) ms_rule_remember(pc, rule);
  return rule;
}

// Steps over our own frames to the first frame that begins at `first_sp` or above.
static __attribute__((noinline)) bool registers_of_caller(uintptr_t first_sp, ms_registers *registers) {
  ms_registers_here(registers);
  ms_stack stack = ms_stack_learn(registers->value[ms_sp]);
  while (registers->value[ms_sp] < first_sp) {
    if (ms_step(registers, &stack) != MS_STEPPED) return false;
  }
  return true;
}

/// Restarts the walk from the first frame, with all registers and without the rule cache.
static ms_walk_end walk_wholly(ms_walk *walk) {
  ms_registers registers;
  ms_walk_end end = MS_WALK_NO_RULE;
  if (walk->interrupted != NULL) {
    ms_registers_from_context(walk->interrupted, &registers);
  } else if (walk->first_sp == 0 || !registers_of_caller(walk->first_sp, &registers) ||
             registers.value[ms_sp] != walk->first_sp) {
    return MS_WALK_NO_RULE;
  }
  walk->next = walk->first;
  walk->context_at = walk->context = 0;
  step_on(walk, &registers, true, &end);
  return end;
}

static bool step_from(ms_walk *walk, ms_walk_end *end) {
  ms_registers registers = {.known = 0, .exact = false};
  ms_registers_set(&registers, ms_pc, walk->pc);
  ms_registers_set(&registers, ms_sp, walk->sp);
  ms_registers_set(&registers, ms_fp, walk->fp);
  ms_step_result result = step(walk, &registers);
  if (result == MS_STEPPED) return step_on(walk, &registers, false, end);
  *end = take_callers(walk, end_of(result));
  return false;
}

// Continues the hot loop, which checks only the upper end of the known stack.
static obstacle follow_if_on_stack(ms_walk *walk) {
  bool on_stack = walk->sp >= walk->stack.low && walk->sp <= walk->stack.high;
  if (on_stack || walk->next >= walk->capacity) return follow(walk);
  write_frame(walk, walk->next >= 0);
  return OFF_STACK;
}

/// Continues a walk to its end.
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

/// Repeats the walk with the calls that the hot loop avoids.
static __attribute__((noinline)) uint32_t walk_with_care(ms_frame frame, uintptr_t *frames,
                                                         uint32_t capacity, uint32_t skip,
                                                         ms_walk_end *end) {
  ms_rule_reserve_zero();
  ms_walk walk = begin_above(frame, frames, capacity, skip);
  if (!ms_stack_holds(&walk.stack, walk.sp)) walk.stack = ms_stack_learn(walk.sp);
  *end = carry_on(&walk);
  if (ms_stack_holds(&walk.stack, walk.first_sp)) ms_stack_remember(&walk.stack);
  return written(&walk);
}

static MS_INLINE uint32_t walk_above(ms_frame frame, uintptr_t *frames, uint32_t capacity,
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

uint32_t ms_walk_above(ms_frame frame, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                       ms_walk_end *end) {
  return walk_above(frame, frames, capacity, skip, end);
}

MS_ENTRY("x4", uint32_t, ms_walk_here, uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  if (ms_uses_libunwind()) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    return ms_libunwind_from(caller, frames, capacity, skip, end);
  }
  return walk_above(MS_OWN_FRAME, frames, capacity, skip, end);
}

static uint32_t walk_context(const ucontext_t *context, ms_stack stack, uintptr_t *frames,
                             uint32_t capacity, ms_walk_end *end) {
  ms_walk walk = {.frames = frames, .capacity = capacity, .stack = stack, .interrupted = context};
  ms_registers registers;
  ms_rule_reserve_zero();
  ms_registers_from_context(context, &registers);
  if (step_on(&walk, &registers, false, end)) *end = carry_on(&walk);
  return written(&walk);
}

static void learn_interrupted(const ucontext_t *context);

uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end) {
  if (ms_uses_libunwind()) return ms_libunwind_context(context, frames, capacity, end);
  const ucontext_t *interrupted = context;
  learn_interrupted(interrupted);
  ms_stack stack = ms_stack_around(ms_context_sp(interrupted));
  return walk_context(interrupted, stack, frames, capacity, end);
}

uint32_t ms_walk_context_within(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  if (ms_uses_libunwind()) {
    *end = MS_WALK_UNAVAILABLE;
    return 0;
  }
  ms_stack stack = {stack_low, stack_high, true};
  if (stack_high < stack_low || stack_high < ms_lowest_stack) {
    stack.low = stack.high = ms_lowest_stack;  // an invalid range: no stack memory is read
  }
  return walk_context(context, stack, frames, capacity, end);
}

// --- Learning the calls by which the runtime runs tasks

static void learn_return(uintptr_t address) {
  for (int place = 0; place < ms_task_places; place++) {
    uintptr_t known = 0;
    if (atomic_compare_exchange_strong(&ms_task_returns[place], &known, address)) {
      ms_walk_forget_rules();  // the cached rule of this address is outdated
      return;
    }
    if (known == address) return;
  }
}

/// Returns true if the chain of async callers from this context is complete.
static bool leads_to_the_end(uintptr_t context) {
  enum { most = 128 };  // a test has some 30 async callers in its library
  uintptr_t frames[most];
  ms_walk_end end;
  return ms_async_callers(context, MS_ASK_ALWAYS, frames, most, &end) > 0 && end == MS_WALK_COMPLETE;
}

/// Learns the call by which the runtime runs a task, if the callee from which `walk` returned is an async function.
static bool learn_if_task(const ms_walk *walk, ms_stack *stack) {
  uint64_t found;
  if (!ms_stack_read(stack, context_left(walk), &found) || !leads_to_the_end(found)) return false;
  if (ms_fact_is_denied(MS_FACT_TASK_FRAMES)) return false;
  learn_return(walk->pc);
  return true;
}

static bool step_to_caller(ms_walk *walk, ms_registers *registers) {
  if (step(walk, registers) != MS_STEPPED) return false;
  take_place(walk, registers);
  return true;
}

/// Steps up to the runtime's function that runs tasks, and learns its call.
static bool learn_below(ms_walk *walk, ms_registers *registers, uintptr_t function, uint64_t size) {
  enum { most = 256 };
  for (int depth = 0; depth < most; depth++) {
    ms_walk before = *walk;
    if (!step_to_caller(walk, registers)) return false;
    if (walk->pc - function >= size) continue;
    // The runtime calls the task's function directly or through one more function.
    return learn_if_task(walk, &walk->stack) || (depth > 0 && learn_if_task(&before, &walk->stack));
  }
  return false;
}

/// Begins a walk, with all registers, in the caller of the function with this frame pointer.
static bool begin_with_registers(ms_walk *walk, ms_registers *registers, uintptr_t frame) {
  enum { record = 16 };  // the saved frame pointer and return address are part of the function's frame
  *walk = (ms_walk){.next = 0};
  if (ms_uses_libunwind() || !registers_of_caller(frame + record, registers)) return false;
  walk->stack = ms_stack_learn(frame + record);
  return true;
}

__attribute__((noinline))
bool ms_walk_learn_task(void) {
  ms_walk walk;
  ms_registers registers;
  bool is_task = begin_with_registers(&walk, &registers, (uintptr_t)__builtin_frame_address(0)) &&
                 step_to_caller(&walk, &registers) && learn_if_task(&walk, &walk.stack);
  ms_fact_learned(MS_FACT_TASK_FRAMES, atomic_load(&ms_task_returns[0]) != 0);
  return is_task;
}

__attribute__((noinline))
bool ms_walk_learn_task_below(uintptr_t function, uint64_t size) {
  ms_walk walk;
  ms_registers registers;
  return begin_with_registers(&walk, &registers, (uintptr_t)__builtin_frame_address(0)) &&
         learn_below(&walk, &registers, function, size);
}

static struct {
  uintptr_t function;
  uint64_t size;
} runs_tasks;  // the runtime's function from which `ms_walk_context` learns; size 0: none

void ms_walk_learn_tasks_later(uintptr_t function, uint64_t size) {
  runs_tasks.function = function;
  runs_tasks.size = size;
}

/// Learns the calls from the task that a signal interrupted, if nothing was learned before.
static void learn_interrupted(const ucontext_t *context) {
  if (runs_tasks.size == 0 || atomic_load_explicit(&ms_task_returns[0], memory_order_relaxed) != 0) return;
  ms_walk walk = {.stack = ms_stack_around(ms_context_sp(context)), .interrupted = context};
  ms_registers registers;
  ms_registers_from_context(context, &registers);
  take_place(&walk, &registers);
  learn_below(&walk, &registers, runs_tasks.function, runs_tasks.size);
}

// --- Stacks of other threads

/// Returns the frame of a waiting function; its end is 0 if unknown.
static ms_frame frame_of(ms_waiting_frame waiting) {
#if defined(__aarch64__)
  ms_row row;
  bool permanent;
  bool is_told = ms_row_find(waiting.code, &row, &permanent) == MS_COVERED && row.cfa_expression == NULL &&
                 row.cfa_register == ms_fp;
  return (ms_frame){waiting.frame, is_told ? waiting.frame + (uintptr_t)row.cfa_offset : 0};
#else
  return (ms_frame){waiting.frame, waiting.frame + 16};
#endif
}

static bool begin_waiting(ms_walk *walk, ms_waiting_frame waiting, uintptr_t *frames, uint32_t capacity) {
  ms_frame frame = frame_of(waiting);
  if (!ms_is_readable(frame.pointer) || !ms_is_readable(frame.pointer + 8) || frame.end == 0) return false;
  *walk = begin_above(frame, frames, capacity, 0);
  walk->stack = ms_stack_around(frame.pointer);
  // The registers of the other thread are unknown, so the walk cannot be restarted.
  walk->first_sp = 0;
  return true;
}

bool ms_walk_learn_task_waiting(ms_waiting_frame waiting, uintptr_t function, uint64_t size) {
  ms_walk walk;
  if (ms_uses_libunwind() || !begin_waiting(&walk, waiting, NULL, 0)) return false;
  ms_registers registers = {.known = 0, .exact = false};
  ms_registers_set(&registers, ms_pc, walk.pc);
  ms_registers_set(&registers, ms_sp, walk.sp);
  ms_registers_set(&registers, ms_fp, walk.fp);
  return learn_below(&walk, &registers, function, size);
}

uint32_t ms_walk_waiting(ms_waiting_frame waiting, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  ms_walk walk;
  *end = MS_WALK_BAD_STACK;
  if (capacity == 0 || !begin_waiting(&walk, waiting, frames, capacity)) return 0;
  if (ms_uses_libunwind()) {
    *end = MS_WALK_UNAVAILABLE;
    frames[0] = walk.pc;
    return 1;
  }
  ms_rule_reserve_zero();
  *end = carry_on(&walk);
  return written(&walk);
}

MS_WALKS_END
#else

bool ms_walk_learn_task(void) { return false; }

bool ms_walk_learn_task_waiting(ms_waiting_frame waiting, uintptr_t function, uint64_t size) {
  (void)waiting, (void)function, (void)size;
  return false;
}

uint32_t ms_walk_waiting(ms_waiting_frame waiting, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  *end = MS_WALK_UNAVAILABLE;
  if (capacity == 0 || !ms_is_readable(waiting.frame + 8)) return 0;
  frames[0] = ms_without_signature(((const uintptr_t *)waiting.frame)[1]);
  return 1;
}

bool ms_walk_learn_task_below(uintptr_t function, uint64_t size) {
  (void)function, (void)size;
  return false;
}

void ms_walk_learn_tasks_later(uintptr_t function, uint64_t size) { (void)function, (void)size; }

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

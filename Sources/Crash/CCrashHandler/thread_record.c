// The record of a thread: its identity, its queue, and its stack.

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRecorder.h"
#include "crash.h"

_Static_assert(MS_ASYNC_CALLER == MS_FRAME_ASYNC, "walks write what the log holds");

typedef struct {
  uintptr_t *frames;
  uint32_t capacity;
  uint32_t count;
  ms_walk_end end;
} walked_stack;

/// True if the thread called an address without code. Such a call has no frame, and a walk from its address would
/// miss the caller.
static bool called_nowhere(const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t top = ms_stack_pointer(context);
  return !ms_is_code(ms_instruction(context)) && ms_is_readable(top) &&
         ms_is_code(*(const uintptr_t *)top);
#else
  return !ms_is_code(ms_instruction(context));
#endif
}

static uint32_t walk_from(const ucontext_t *context, ms_stack_source source, uintptr_t *frames, uint32_t capacity,
                          ms_walk_end *end) {
  return source == MS_STACK_BY_LIBUNWIND ? ms_walk_apart(context, frames, capacity, end)
                                         : ms_walk_context(context, frames, capacity, end);
}

/// Walks from the call to an address without code. The caller's address is then converted back to a return address.
static void walk_before_call(const ucontext_t *context, ms_stack_source source, walked_stack *stack) {
  ucontext_t before = ms_before_call(context);
  stack->frames[0] = ms_instruction(context);
  stack->count = 1 + walk_from(&before, source, stack->frames + 1, stack->capacity - 1, &stack->end);
  if (stack->count > 1) stack->frames[1] += 1;
}

extern void *__libc_stack_end;

typedef struct {
  uintptr_t low, high;
} stack_bounds;

/// The bounds of the calling thread's stack. glibc stores the control block of a thread at the top of the thread's
/// stack, except for the main thread.
static stack_bounds bounds_of(const ucontext_t *context) {
  static const uintptr_t farthest = (uintptr_t)1 << 30;
  uintptr_t sp = ms_stack_pointer(context);
  uintptr_t own = (uintptr_t)__builtin_thread_pointer(), main = (uintptr_t)__libc_stack_end;
  if (own > sp && own - sp < farthest) return (stack_bounds){sp, own};
  return (stack_bounds){sp, main > sp && main - sp < farthest ? main : sp};
}

static stack_bounds readable_bounds_of(const ucontext_t *context) {
  enum { page = 4096, most_pages = 1024 };
  stack_bounds bounds = bounds_of(context);
  for (int i = 0; i < most_pages && !ms_is_readable(bounds.low); i++) {
    bounds.low = (bounds.low & ~(uintptr_t)(page - 1)) + page;
  }
  return bounds;
}

/// Walks an overflowed stack, whose stack pointer is below the readable memory.
static void walk_overflowed(const ucontext_t *context, walked_stack *stack) {
  stack_bounds bounds = readable_bounds_of(context);
  stack->count = ms_walk_context_within(context, ms_stack_pointer(context), bounds.high,
                                        stack->frames, stack->capacity, &stack->end);
  if (stack->count > 1) return;
  stack->count = ms_walk_frame_pointers(context, bounds.low, bounds.high, stack->frames,
                                        stack->capacity, &stack->end);
}

static void walk_frame_pointers(const ucontext_t *context, walked_stack *stack) {
  stack_bounds bounds = readable_bounds_of(context);
  stack->count = ms_walk_frame_pointers(context, bounds.low, bounds.high, stack->frames,
                                        stack->capacity, &stack->end);
}

static void walk_with(const ucontext_t *context, ms_stack_source source, walked_stack *stack) {
  if (called_nowhere(context)) walk_before_call(context, source, stack);
  else stack->count = walk_from(context, source, stack->frames, stack->capacity, &stack->end);
}

/// Captures the stack. Without unwind rules, libunwind walks the crashed thread in a forked process. All other
/// threads are walked by frame pointers, because libunwind could harm these threads.
static void walk(const ucontext_t *context, bool crashed, ms_stack_source *source,
                 walked_stack *stack) {
  bool has_rules = ms_walk_engine_in_use() == MS_WALK_RULES;
  if (!has_rules && crashed && *source == MS_STACK_BY_RULES) {
    *source = MS_STACK_BY_LIBUNWIND;
    walk_with(context, *source, stack);
    if (stack->count > 1) return;
  }
  if (!has_rules || *source == MS_STACK_BY_FRAME_POINTERS) {
    *source = MS_STACK_BY_FRAME_POINTERS;
    walk_frame_pointers(context, stack);
  } else if (!ms_is_readable(ms_stack_pointer(context))) {
    walk_overflowed(context, stack);
  } else {
    walk_with(context, *source, stack);
  }
}

uint32_t ms_walk_thread(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                        ms_walk_end *end) {
  walked_stack stack = {frames, capacity, 0, MS_WALK_UNAVAILABLE};
  ms_stack_source source = MS_STACK_BY_RULES;
  walk(context, false, &source, &stack);
  *end = stack.end;
  return stack.count;
}

static uint8_t flags_of(const ms_queue_stamp *queue) {
  if (queue->onMain) return MS_CRASH_ON_MAIN;
  return ms_queue_answer_level() == MS_QUEUE_EXACT ? 0 : MS_CRASH_MAIN_UNKNOWN;
}

static void write_record(ms_log *log, uint32_t crash, uint32_t thread, bool crashed,
                         ms_stack_source source, ms_queue_interest interest,
                         const walked_stack *stack) {
  ms_queue_stamp queue = {0, NULL, 0, false};
  if (interest == MS_WITH_QUEUE) queue = ms_queue_stamp_here();
  size_t label = queue.label ? strnlen(queue.label, MS_LABEL_LIMIT) : 0;
  ms_crash_thread_record *record =
      ms_crash_begin(log, MS_RECORD_CRASH_THREAD, crash,
                     sizeof *record + stack->count * sizeof(uint64_t) + label);
  if (record == NULL) return;
  record->queue_serial = queue.serial;
  record->kernel_id = thread;
  record->thread = ms_crash_ordinal(log);
  if (source != MS_STACK_ROUTINE) ms_thread_name(record->name, sizeof record->name);
  record->count = (uint16_t)stack->count;
  record->end = (uint8_t)stack->end;
  record->source = (uint8_t)source;
  record->flags = interest == MS_WITH_QUEUE ? flags_of(&queue) : MS_CRASH_MAIN_UNKNOWN;
  record->crashed = crashed;
  record->label_size = (uint8_t)label;
  record->first_is_instruction = 1;
  memcpy(record->frames, stack->frames, stack->count * sizeof(uint64_t));
  if (label) memcpy(record->frames + stack->count, queue.label, label);
  ms_crash_commit(log, record);
}

void ms_record_instruction(ms_log *log, uint32_t crash, uint32_t thread,
                           const ucontext_t *context) {
  uintptr_t frame = ms_instruction(context);
  walked_stack stack = {&frame, 1, 1, MS_WALK_LIMIT};
  write_record(log, crash, thread, true, MS_STACK_ROUTINE, MS_WITHOUT_QUEUE, &stack);
  ms_crash_note_modules(log, &frame, 1);
}

void ms_record_thread(ms_log *log, uint32_t crash, uint32_t thread, const ucontext_t *context,
                      bool crashed, ms_stack_source source, ms_queue_interest queue) {
  uint32_t capacity = crashed ? MS_CRASHED_FRAMES : MS_FRAME_LIMIT;
  uintptr_t frames[capacity];
  walked_stack stack = {frames, capacity, 0, MS_WALK_UNAVAILABLE};
  if (source != MS_STACK_LOST) walk(context, crashed, &source, &stack);
  write_record(log, crash, thread, crashed, source, queue, &stack);
  ms_crash_note_modules(log, frames, stack.count);
}

void ms_record_own_name(ms_log *log, uint32_t crash, uint32_t thread, ms_stack_source why) {
  char name[16];
  ms_thread_name(name, sizeof name);
  ms_record_silent_thread(log, crash, thread, name, why);
}

void ms_record_silent_thread(ms_log *log, uint32_t crash, uint32_t thread, const char *name,
                             ms_stack_source why) {
  ms_crash_thread_record *record =
      ms_crash_begin(log, MS_RECORD_CRASH_THREAD, crash, sizeof *record);
  if (record == NULL) return;
  record->kernel_id = thread;
  strncpy(record->name, name, sizeof record->name - 1);
  record->end = MS_WALK_UNAVAILABLE;
  record->source = (uint8_t)why;
  ms_crash_commit(log, record);
}

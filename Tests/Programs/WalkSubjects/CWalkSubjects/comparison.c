#include "CWalkSubjects.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "CRecorder.h"
#include "../../../../Sources/Recorder/CRecorder/walk/registers.h"

enum { most_frames = 40000, most_shown = 24 };

typedef struct {
  const char *way;
  uintptr_t *frames;
  uint32_t count;
  ms_walk_end end;
} path;

static _Atomic uint64_t captures, frames_compared, unexplained, uninformed, remembered, fallen;

ms_comparison_totals ms_comparison_totals_so_far(void) {
  return (ms_comparison_totals){captures, frames_compared, unexplained, uninformed, remembered, fallen};
}

void ms_comparison_failed(const char *subject) {
  unexplained++;
  dprintf(2, "%s: differs in a process of its own\n", subject);
}

static path new_path(const char *way) {
  return (path){.way = way, .frames = malloc(most_frames * sizeof(uintptr_t))};
}

static uint32_t first_difference(const path *reference, const path *ours) {
  // The first frame may be this file's, at another line for each walk.
  uint32_t index = 1;
  while (index < reference->count && index < ours->count
         && reference->frames[index] == ours->frames[index]) {
    index++;
  }
  return index;
}

static bool equal(const path *reference, const path *ours) {
  return reference->count == ours->count
      && first_difference(reference, ours) >= reference->count;
}

// A function whose unwind information is missing makes every walk guess from there on.
static bool has_uninformed_frame(const path *path, uint32_t limit) {
  for (uint32_t index = 0; index < limit && index < path->count; index++) {
    ms_row row;
    bool permanent;
    ms_coverage coverage = ms_row_find(path->frames[index] - (index > 0), &row, &permanent);
    if (coverage != MS_COVERED) return true;
  }
  return false;
}

static void show(const char *subject, const path *reference, const path *ours) {
  uint32_t index = first_difference(reference, ours);
  dprintf(2, "%s: %s has %u frames (end %d), %s %u; first different: %u\n", subject,
          ours->way, ours->count, ours->end, reference->way, reference->count, index);
  uint32_t start = index > 3 ? index - 3 : 0;
  for (uint32_t shown = start; shown < start + most_shown; shown++) {
    if (shown >= reference->count && shown >= ours->count) break;
    uintptr_t theirs = shown < reference->count ? reference->frames[shown] : 0;
    uintptr_t mine = shown < ours->count ? ours->frames[shown] : 0;
    dprintf(2, "  %3u %16lx %16lx%s\n", shown, theirs, mine, theirs == mine ? "" : "  <");
  }
}

// libunwind on arm64 leaves out the function that nothing called.
static bool lacks_outermost(const path *reference, const path *ours) {
#if defined(__aarch64__)
  ms_row row;
  bool permanent;
  if (ours->count != reference->count + 1 || first_difference(reference, ours) < reference->count) return false;
  return ms_row_find(ours->frames[ours->count - 1] - 1, &row, &permanent) == MS_COVERED &&
         row.place[ms_return] == MS_PLACE_UNDEFINED;
#else
  (void)reference, (void)ours;
  return false;
#endif
}

static bool judge(const char *subject, const path *reference, const path *ours,
                  const path *second_reference) {
  captures++;
  frames_compared += reference->count;
  if (equal(reference, ours) || lacks_outermost(reference, ours)) return true;
  uint32_t index = first_difference(reference, ours);
  bool explained = has_uninformed_frame(ours, index + 1)
      || (second_reference != NULL && equal(second_reference, ours));
  if (explained) {
    uninformed++;
    return true;
  }
  if (unexplained++ < 5) show(subject, reference, ours);
  return false;
}

static void walk_by_stepper(const ucontext_t *context, path *path, uint32_t capacity) {
  ms_registers registers;
  ms_registers_from_context(context, &registers);
  ms_stack stack = ms_stack_around(registers.value[ms_sp]);
  do {
    path->frames[path->count++] = registers.value[ms_pc];
  } while (path->count < capacity && ms_step(&registers, &stack) == MS_STEPPED);
}

static void walk_from_context(const void *context, path *path) {
  path->count = ms_walk_context(context, path->frames, most_frames, &path->end);
}

bool ms_compare_context(const char *subject, const void *context) {
  path reference = new_path("unw_step"), ours = new_path("the walk from a context");
  path empty = new_path("the walk from a context, table empty"), stepped = new_path("the stepper");
  reference.count = ms_libunwind_context(context, reference.frames, most_frames, &reference.end);
  walk_from_context(context, &ours);
  ms_walk_forget_rules();
  walk_from_context(context, &empty);
  walk_by_stepper(context, &stepped, most_frames);
  bool good = judge(subject, &reference, &ours, NULL);
  good = judge(subject, &reference, &empty, NULL) && good;
  good = judge(subject, &reference, &stepped, NULL) && good;
  free(reference.frames), free(ours.frames), free(empty.frames), free(stepped.frames);
  return good;
}

static _Thread_local sigjmp_buf before_fault;

static void leave_fault(int number) {
  (void)number;
  siglongjmp(before_fault, 1);
}

/// What `unw_backtrace` finds; nothing where it reads what it must not: 1.8.1-0.4 of Debian does for arm64, above a frame that
/// `x19` alone leads out of.
static __attribute__((noinline)) void walk_by_backtrace(path *path) {
  struct sigaction leaving = {.sa_handler = leave_fault}, before;
  sigaction(SIGSEGV, &leaving, &before);
  if (sigsetjmp(before_fault, 1) == 0) {
    path->count = ms_libunwind_here(path->frames, most_frames, 1, &path->end);
  } else {
    path->count = 0;
    fallen++;
  }
  sigaction(SIGSEGV, &before, NULL);
}

/// The walk again and again in one place: walked, walked and noted, remembered.
static __attribute__((noinline)) bool compare_remembered(const char *subject, const path *reference, const path *second) {
  static _Thread_local ms_walk_memory *memory;
  enum { most = MS_REMEMBERED_FRAMES };
  uintptr_t frames[most];
  // The key tells no places apart, so that walks take each other's place as often as can be.
  if (memory == NULL) memory = calloc(1, sizeof *memory);
  bool good = true;
  for (int i = 0; i < 3; i++) {
    const ms_walked *walked = ms_walk_remembering(memory, 0, frames, most, 1);
    if (walked->id != 0) remembered++;
    path ours = {"the remembered walk", (uintptr_t *)walked->frames, walked->count, walked->end};
    path expected = *reference, other = *second;
    if (expected.count > most) expected.count = most;
    if (other.count > most) other.count = most;
    good = judge(subject, &expected, &ours, &other) && good;
  }
  return good;
}

__attribute__((noinline)) bool ms_compare_here(const char *subject) {
  ucontext_t context;
  getcontext(&context);
  path reference = new_path("unw_step"), second = new_path("unw_backtrace");
  path cold = new_path("the walk, table empty"), warm = new_path("the walk");
  reference.count = ms_libunwind_context(&context, reference.frames, most_frames, &reference.end);
  walk_by_backtrace(&second);
  ms_walk_forget_rules();
  cold.count = ms_walk_here(cold.frames, most_frames, 0, &cold.end);
  warm.count = ms_walk_here(warm.frames, most_frames, 0, &warm.end);
  bool good = judge(subject, &reference, &cold, &second);
  good = judge(subject, &reference, &warm, &second) && good;
  good = compare_remembered(subject, &reference, &second) && good;
  free(reference.frames), free(second.frames), free(cold.frames), free(warm.frames);
  return ms_compare_context(subject, &context) && good;
}

bool ms_compare_interrupted(const char *subject, const void *context, uintptr_t *room,
                            uint32_t capacity) {
  path reference = {.way = "unw_step", .frames = room};
  path ours = {.way = "the walk from a context", .frames = room + capacity};
  reference.count = ms_libunwind_context(context, reference.frames, capacity, &reference.end);
  ours.count = ms_walk_context(context, ours.frames, capacity, &ours.end);
  return judge(subject, &reference, &ours, NULL);
}

bool ms_compare_with_stepper(const char *subject, const void *context, uintptr_t *room,
                             uint32_t capacity) {
  path reference = {.way = "the stepper", .frames = room};
  path ours = {.way = "the walk from a context", .frames = room + capacity};
  walk_by_stepper(context, &reference, capacity);
  ours.count = ms_walk_context(context, ours.frames, capacity, &ours.end);
  return judge(subject, &reference, &ours, NULL);
}

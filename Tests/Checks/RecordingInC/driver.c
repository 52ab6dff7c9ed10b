// Records and crashes by the C of the recording half alone, for systems where no Swift runs: `driver LOG`.

#include "CRecorder.h"
#include <CCrashHandler.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { most_frames = 64, crumbs = 1000 };

static ms_log *recorder;

static void leave(const char *message) {
  ms_note_shape shape = {.message_size = (uint32_t)strlen(message), .category_size = 5, .kind = MS_KIND_NOTE};
  ms_log_note(recorder, shape, "stock", message, 0, NULL);
}

__attribute__((noinline)) static void leave_with_stack(const char *message) {
  ms_log_bracket bracket = ms_log_enter_to_walk(recorder, MS_KIND_NOTE);
  if (!bracket.thread) return;
  ms_walk_end end;
  uint32_t count = ms_walk_here(bracket.frames, most_frames, 0, &end);
  ms_note_shape shape = {.message_size = (uint32_t)strlen(message), .category_size = 5, .kind = MS_KIND_NOTE};
  ms_log_note_with(bracket.thread, shape, "stock", message, 0, NULL, bracket.frames, count, end, 0);
}

static void *work(void *name) {
  for (int i = 0; i < crumbs; i++) leave(name);
  return NULL;
}

__attribute__((noinline)) static void deliver(volatile int *shelf) {
  leave_with_stack("delivery");
  *shelf = 40;  // the crash
}

/// Whether a walk from here is what libunwind says, and reaches the end.
__attribute__((noinline)) static bool walks_right(void) {
  uintptr_t ours[most_frames], theirs[most_frames];
  ms_walk_end our_end, their_end;
  uint32_t our_count = ms_walk_here(ours, most_frames, 1, &our_end);
  uint32_t their_count = ms_libunwind_here(theirs, most_frames, 1, &their_end);
  return our_count > 1 && our_count == their_count && our_end == MS_WALK_COMPLETE &&
         memcmp(ours, theirs, our_count * sizeof *ours) == 0;
}

int main(int count, char **arguments) {
  if (count != 2) return fprintf(stderr, "usage: driver LOG\n"), 2;
  ms_walk_start();
  ms_queue_start();
  printf("walks: %s, %s\n", ms_walk_engine_in_use() == MS_WALK_RULES ? "by rules" : "by libunwind", ms_walk_engine_reason());
  printf("queues: %s\n", ms_queue_fallback_reason() ? ms_queue_fallback_reason() : "known");
  if (!walks_right()) return fprintf(stderr, "driver: a walk is not what libunwind says\n"), 1;
  ms_log_options options = {
      .path = arguments[1],
      .capacity = 1 << 20,
      .release = "driver@1",
  };
  ms_log_failure failure;
  recorder = ms_log_open(&options, &failure);
  if (!recorder) return fprintf(stderr, "driver: no log: %d, %s\n", failure.result, strerror(failure.error_number)), 1;
  ms_crash_options crash = {.log = recorder, .thread_budget_ns = 1000000000, .task_budget_ns = 500000000};
  ms_crash_install(&crash);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, "one");
  pthread_create(&threads[1], NULL, work, "other");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  fflush(stdout);
  deliver(NULL);
  return 0;
}

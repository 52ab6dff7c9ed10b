#include "thread_starts.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../shared/own_frames.h"
#include "CRecorder.h"
#include "list.h"

typedef struct {
  ms_toolkit_start start;
  void *(*run)(void *);
  void *context;
} started;

static _Atomic bool notes;
static __thread const ms_toolkit_start *own __attribute__((tls_model("initial-exec")));

const ms_toolkit_start *ms_toolkit_own_start(void) { return own; }
void ms_toolkit_starts_begin(void) { atomic_store(&notes, true); }
void ms_toolkit_starts_end(void) { atomic_store(&notes, false); }
bool ms_toolkit_notes_starts(void) { return atomic_load(&notes); }

static void forget(void *thread) {
  own = NULL;
  free(thread);
}

static void *ms_toolkit_thread_runs(void *context) {
  started *thread = context;
  void *result;
  own = &thread->start;
  pthread_cleanup_push(forget, thread);
  result = thread->run(thread->context);
  pthread_cleanup_pop(1);
  return result;
}

void ms_toolkit_note_start(ms_toolkit_start *start, uintptr_t caller) {
  enum { most_own = 6 };
  uintptr_t walked[MS_TOOLKIT_START_FRAMES + most_own];
  ms_walk_end end;
  uint32_t count = ms_walk_here(walked, MS_TOOLKIT_START_FRAMES + most_own, 0, &end);
  uint32_t at = ms_own_frames(walked, count, caller);
  start->by = ms_toolkit_this_thread();
  start->frame_count = count - at < MS_TOOLKIT_START_FRAMES ? count - at : MS_TOOLKIT_START_FRAMES;
  memcpy(start->frames, walked + at, start->frame_count * sizeof *walked);
  ms_script_read(&start->script, caller);
}

static started *note(void *(*run)(void *), void *context, uintptr_t caller) {
  started *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->run = run;
  thread->context = context;
  ms_toolkit_note_start(&thread->start, caller);
  return thread;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *restrict thread,
                                                          const pthread_attr_t *restrict attributes,
                                                          void *(*run)(void *), void *restrict context) {
  typedef int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static _Atomic(create) known;
  create real = atomic_load(&known);
  if (!real) {
    real = (create)ms_real_dlsym()(RTLD_NEXT, "pthread_create");
    atomic_store(&known, real);
  }
  int before = errno;
  started *noted =
      atomic_load(&notes) ? note(run, context, (uintptr_t)__builtin_return_address(0)) : NULL;
  errno = before;
  if (!noted) return real(thread, attributes, run, context);
  int result = real(thread, attributes, ms_toolkit_thread_runs, noted);
  if (result != 0) free(noted);
  return result;
}

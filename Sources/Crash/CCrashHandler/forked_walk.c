// Walks the stack with libunwind in a forked copy of the process, if no other walk is possible.

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crash.h"

typedef struct {
  _Atomic uint32_t is_done;
  uint32_t count;
  uint32_t end;
  uintptr_t frames[MS_CRASHED_FRAMES];
} walked_apart;

static walked_apart *shared;

void ms_walk_apart_prepare(void) {
  if (shared || ms_walk_engine_in_use() != MS_WALK_LIBUNWIND) return;
  int flags = MAP_SHARED | MAP_ANONYMOUS;
  void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory != MAP_FAILED) shared = memory;
}

static void walk(const ucontext_t *context, uint32_t capacity) {
  ms_walk_end end;
  shared->count = ms_libunwind_context(context, shared->frames, capacity, &end);
  shared->end = end;
  atomic_store(&shared->is_done, 1);
}

/// Disables cancellation, because libunwind calls cancellation points and the copied thread may have a pending
/// cancellation.
static void walk_and_exit(const ucontext_t *context, uint32_t capacity) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  walk(context, capacity);
  syscall(SYS_exit_group, 0);
}

/// Waits until the child is done or dead, at most half a second; then kills the child.
static void wait_for(long child) {
  enum { patience = 500, millisecond = 1000000 };
  for (int i = 0; i < patience && !atomic_load(&shared->is_done); i++) {
    if (syscall(SYS_wait4, child, NULL, WNOHANG | __WALL, NULL) == child) return;
    ms_sleep(millisecond);
  }
  syscall(SYS_kill, child, SIGKILL);
  syscall(SYS_wait4, child, NULL, __WALL, NULL);
}

uint32_t ms_walk_apart(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                       ms_walk_end *end) {
  *end = MS_WALK_UNAVAILABLE;
  if (shared == NULL || capacity > MS_CRASHED_FRAMES) return 0;
  atomic_store(&shared->is_done, 0);
  // The host receives no signal at this child's end, and no `pthread_atfork` handler runs.
  long child = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
  if (child < 0) return 0;
  if (child == 0) walk_and_exit(context, capacity);
  wait_for(child);
  if (!atomic_load(&shared->is_done)) return 0;
  for (uint32_t i = 0; i < shared->count; i++) frames[i] = shared->frames[i];
  *end = (ms_walk_end)shared->end;
  return shared->count;
}

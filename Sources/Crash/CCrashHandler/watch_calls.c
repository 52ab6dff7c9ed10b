// Wakes the watch thread by a futex: a static word without an owner, so that a call is harmless in a forked child, which
// has no watch thread, and after the end of the watch.

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "crash.h"

static _Atomic uint32_t calls;

void ms_watch_call(void) {
  atomic_fetch_add(&calls, 1);
  syscall(SYS_futex, &calls, FUTEX_WAKE_PRIVATE, INT_MAX);
}

void ms_watch_wait(uint64_t nanoseconds, uint32_t *calls_seen) {
  enum { second = 1000000000 };
  uint64_t until = ms_now() + nanoseconds;
  struct timespec time = {(time_t)(until / second), (long)(until % second)};
  long result;
  do {
    result = syscall(SYS_futex, &calls, FUTEX_WAIT_BITSET_PRIVATE, *calls_seen, &time, NULL, FUTEX_BITSET_MATCH_ANY);
  } while (result != 0 && errno == EINTR);
  *calls_seen = atomic_load(&calls);
}

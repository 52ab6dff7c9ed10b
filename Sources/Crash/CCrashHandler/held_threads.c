// Holds the threads that a crash has interrupted until the process dies.
//

#include "crash.h"

static _Atomic uint64_t held_until;  // 0: nothing is held
static uint64_t pause_ns;
// A handler must not be the first to ask for thread-local memory, so this is there from the thread's beginning.
static _Thread_local __attribute__((tls_model("initial-exec"))) volatile bool is_exempt;

enum { millisecond = 1000000 };
static const uint64_t recording_ns = 5000 * (uint64_t)millisecond;  // beside the budget for the stacks

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void ms_hold_begin(uint64_t budget_ns, uint32_t threads) {
  enum { each = 100000 };
  // However many threads look whether they are held, they leave a processor to the one that crashed.
  pause_ns = millisecond + threads * (uint64_t)each;
  uint64_t until = now() + budget_ns + recording_ns;
  atomic_store(&held_until, until > budget_ns ? until : UINT64_MAX);
}

void ms_hold_end(void) { atomic_store(&held_until, 0); }

void ms_hold_exempt(bool exempt) { is_exempt = exempt; }

void ms_hold(void) {
  while (!is_exempt && now() < atomic_load(&held_until)) ms_sleep(pause_ns);
}

// Holds the threads that a crash has interrupted in their handlers until the process dies.

#include "crash.h"

static _Atomic uint64_t held_until;  // 0: no thread is held
static uint64_t pause_ns;
// Initial-exec, because a handler must not allocate thread-local memory.
static _Thread_local __attribute__((tls_model("initial-exec"))) volatile bool is_exempt;

enum { millisecond = 1000000 };
static const uint64_t recording_ns = 5000 * (uint64_t)millisecond;  // recording time beyond the limit for stacks

void ms_hold_begin(uint64_t budget_ns, uint32_t threads) {
  enum { each = 100000 };
  // The pause grows with the number of held threads, so that their polling leaves a processor to the crashed thread.
  pause_ns = millisecond + threads * (uint64_t)each;
  uint64_t until = ms_now() + budget_ns + recording_ns;
  atomic_store(&held_until, until > budget_ns ? until : UINT64_MAX);
}

void ms_hold_end(void) { atomic_store(&held_until, 0); }

void ms_hold_exempt(bool exempt) { is_exempt = exempt; }

void ms_hold(void) {
  while (!is_exempt && ms_now() < atomic_load(&held_until)) ms_sleep(pause_ns);
}

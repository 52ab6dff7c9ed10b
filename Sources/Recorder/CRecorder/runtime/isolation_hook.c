// Reports an isolation check before it fails: on Linux the runtime prints nothing about the failure. A check whose hook
// returns succeeds, so the hook can also keep the process alive.
//
// If code without a tracked executor claims an isolation, the concurrency runtime calls an exported hook instead of
// querying the executor. The hook's signature is known for the runtimes of `ms_runtime_is_known`.

#include "ms_runtime.h"

#include <stdatomic.h>
#include <stddef.h>

#include "ms_facts.h"
#include "ms_walk.h"
#include "swift_call.h"

typedef MS_SWIFT_CALL void (*check_isolated)(ms_executor executor);
typedef MS_SWIFT_CALL void (*check_isolated_hook)(ms_executor executor, check_isolated original);

extern check_isolated_hook swift_task_checkIsolated_hook __attribute__((weak));
static check_isolated_hook earlier;
static _Atomic(ms_isolation_listener) listener;

/// Decides that a check succeeds.
static MS_SWIFT_CALL void succeed(ms_executor executor) { (void)executor; }

static MS_SWIFT_CALL void hear_check(ms_executor executor, check_isolated original) {
  ms_isolation_listener told = atomic_load(&listener);
  // The earlier hook is called in any case: `crashscan run --isolation soft` records the checks of a program that also
  // keeps itself alive.
  if (told && told(executor, (uintptr_t)__builtin_return_address(0))) original = succeed;
  // A tail call leaves no frame of ours in the backtrace of the trap, even in a debug build. A tail call needs
  // functions of the same type: `original` ignores the second argument, which is in a register.
  check_isolated_hook next = earlier ? earlier : (check_isolated_hook)(void (*)(void))original;
  __attribute__((musttail)) return next(executor, original);
}

bool ms_isolation_hear(ms_isolation_listener heard) {
  bool has_hook = &swift_task_checkIsolated_hook && ms_runtime_is_known();
  if (!ms_fact_learned(MS_FACT_ISOLATION_HOOK, has_hook)) return false;
  ms_isolation_hear_at(&swift_task_checkIsolated_hook, heard);
  return true;
}

void ms_isolation_hear_at(void *variable, ms_isolation_listener heard) {
  check_isolated_hook *hook = variable;
  if (atomic_exchange(&listener, heard)) return;
  earlier = __atomic_load_n(hook, __ATOMIC_ACQUIRE);
  __atomic_store_n(hook, hear_check, __ATOMIC_RELEASE);
}

bool ms_executor_is_default(ms_executor executor) { return (executor.implementation & ~(uintptr_t)3) == 0; }

// --- Sites

enum { sites = 4096, most_tried = 16, most_frames = 24, hashed_frames = 8 };

static _Atomic uint64_t known_sites[sites];

bool ms_isolation_is_new_site(uintptr_t caller) {
  uintptr_t frames[most_frames];
  ms_walk_end end;
  uint32_t count = ms_walk_here(frames, most_frames, 0, &end), first = 0;
  for (uint32_t i = 0; i < count && first == 0; i++) {
    if (frames[i] == caller) first = i;
  }
  uint64_t hash = 1;
  for (uint32_t i = first; i < count && i < first + hashed_frames; i++) {
    hash = (hash ^ frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  if (hash == 0) hash = 1;
  for (uint32_t i = 0; i < most_tried; i++) {
    uint64_t taken = 0;
    if (atomic_compare_exchange_strong(&known_sites[(hash + i) % sites], &taken, hash)) return true;
    if (taken == hash) return false;
  }
  return false;
}

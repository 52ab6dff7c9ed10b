// Reports a main-actor check before it fails: on Linux the runtime prints nothing about the failure.
//
// If code without a tracked executor claims an isolation, the concurrency runtime calls an exported hook instead of
// querying the executor. The hook's signature is known for the runtimes of `ms_runtime_is_known`.

#include "ms_runtime.h"

#include <stdatomic.h>
#include <stddef.h>

#include "ms_facts.h"
#include "swift_call.h"

typedef MS_SWIFT_CALL void (*check_isolated)(ms_executor executor);
typedef MS_SWIFT_CALL void (*check_isolated_hook)(ms_executor executor, check_isolated original);

extern check_isolated_hook swift_task_checkIsolated_hook __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getMainExecutor(void) __attribute__((weak));

static check_isolated_hook earlier;
static _Atomic(ms_isolation_listener) listener;

static MS_SWIFT_CALL void hear_check(ms_executor executor, check_isolated original) {
  ms_isolation_listener told = atomic_load(&listener);
  if (told && executor.identity == swift_task_getMainExecutor().identity) {
    told((uintptr_t)__builtin_return_address(0));
  }
  // A tail call leaves no frame of ours in the backtrace of the trap, even in a debug build. A tail call needs
  // functions of the same type: `original` ignores the second argument, which is in a register.
  check_isolated_hook next = earlier ? earlier : (check_isolated_hook)(void (*)(void))original;
  __attribute__((musttail)) return next(executor, original);
}

bool ms_isolation_hear(ms_isolation_listener heard) {
  bool has_hook = &swift_task_checkIsolated_hook && swift_task_getMainExecutor && ms_runtime_is_known();
  if (!ms_fact_learned(MS_FACT_ISOLATION_HOOK, has_hook)) return false;
  if (atomic_exchange(&listener, heard)) return true;
  earlier = __atomic_load_n(&swift_task_checkIsolated_hook, __ATOMIC_ACQUIRE);
  __atomic_store_n(&swift_task_checkIsolated_hook, hear_check, __ATOMIC_RELEASE);
  return true;
}

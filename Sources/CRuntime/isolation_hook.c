// The concurrency runtime calls a hook where code without a tracked executor claims isolation, and
// then lets the executor trap. On Linux the main executor traps and prints nothing, so we print first.
//
// The hook is set while the process loads: a check may fail before anything of ours is called.

#include "CRuntime.h"

#include <stddef.h>
#include <stdint.h>

#include "swift_call.h"

typedef MS_SWIFT_CALL void (*ms_check_isolated)(ms_executor executor);
typedef MS_SWIFT_CALL void (*ms_check_isolated_hook)(ms_executor executor,
                                                     ms_check_isolated original);

extern ms_check_isolated_hook swift_task_checkIsolated_hook __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getMainExecutor(void) __attribute__((weak));

/// Reports a check of the main actor that is about to fail, made by the function that `caller` is in;
/// does nothing where it holds.
extern void ms_main_isolation_checked(uintptr_t caller) __attribute__((weak));

static ms_check_isolated_hook earlier;

static MS_SWIFT_CALL void ms_hear(ms_executor executor, ms_check_isolated original) {
  if (swift_task_getMainExecutor && ms_main_isolation_checked &&
      executor.identity == swift_task_getMainExecutor().identity) {
    ms_main_isolation_checked((uintptr_t)__builtin_return_address(0));
  }
  if (earlier) {
    earlier(executor, original);
  } else {
    original(executor);
  }
}

__attribute__((constructor)) static void install(void) {
  if (!&swift_task_checkIsolated_hook) return;
  earlier = swift_task_checkIsolated_hook;
  swift_task_checkIsolated_hook = ms_hear;
}

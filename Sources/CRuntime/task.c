#include "CRuntime.h"

#include <stddef.h>

#include "swift_call.h"

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(ms_executor executor,
                                                               uintptr_t flags)
    __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));

uint64_t ms_task_id(void) {
  if (!swift_task_getCurrent || !swift_task_getJobTaskId) return 0;
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

bool ms_executor_is_current(ms_executor executor) {
  if (!swift_task_isCurrentExecutorWithFlags) return false;
  return swift_task_isCurrentExecutorWithFlags(executor, 0);
}

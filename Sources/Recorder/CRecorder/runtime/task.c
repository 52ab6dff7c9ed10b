#include "ms_runtime.h"

#include <stddef.h>
#include <string.h>

#include "ms_facts.h"
#include "swift_call.h"

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(ms_executor executor,
                                                               uintptr_t flags)
    __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern MS_SWIFT_CALL uintptr_t swift_task_currentPriority(void *task) __attribute__((weak));
extern MS_SWIFT_CALL bool swift_task_isCancelled(void *task) __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getCurrentExecutor(void) __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getMainExecutor(void) __attribute__((weak));

extern MS_SWIFT_CALL void *swift_task_localValueGet(const void *key) __attribute__((weak));

const void *ms_task_local(const void *key) {
  bool can = swift_task_localValueGet && !ms_fact_is_denied(MS_FACT_TASK_LOCALS);
  return key && can ? swift_task_localValueGet(key) : NULL;
}

static void *current_task(void) {
  bool can = swift_task_getCurrent && !ms_fact_is_denied(MS_FACT_TASK_GETTERS);
  return can ? swift_task_getCurrent() : NULL;
}

void ms_runtime_start(void) {
  ms_runtime_is_known();
  bool has_getters = swift_task_getCurrent && swift_task_getJobTaskId && swift_task_currentPriority &&
                     swift_task_getCurrentExecutor && swift_task_getMainExecutor;
  ms_fact_learned(MS_FACT_TASK_GETTERS, has_getters);
  ms_fact_learned(MS_FACT_TASK_LOCALS, swift_task_localValueGet != NULL);
}

uint64_t ms_task_id(void) {
  void *task = swift_task_getJobTaskId ? current_task() : NULL;
  return task ? swift_task_getJobTaskId(task) : 0;
}

ms_executor ms_executor_here(void) {
  ms_executor none = {NULL, 0};
  if (ms_task_id() == 0 || !swift_task_getCurrentExecutor) return none;
  return swift_task_getCurrentExecutor();
}

bool ms_executor_is_main(ms_executor executor) {
  return swift_task_getMainExecutor && executor.identity == swift_task_getMainExecutor().identity;
}

bool ms_executor_is_current(ms_executor executor) {
  if (swift_task_isCurrentExecutorWithFlags) return swift_task_isCurrentExecutorWithFlags(executor, 0);
  // The runtime of Swift 6.0 has only `swift_task_isCurrentExecutor`, which may trap instead of returning false.
  return executor.identity && ms_executor_here().identity == executor.identity;
}

const void *ms_task_here(void) { return current_task(); }

// --- The executor of a task

static void *main_executor;

void ms_task_learn_main(void) {
  if (swift_task_getMainExecutor) main_executor = swift_task_getMainExecutor().identity;
}

static void describe_executor(ms_task_facts *facts) {
  if (!swift_task_getCurrentExecutor) return;
  ms_executor executor = swift_task_getCurrentExecutor();
  facts->executor = (uintptr_t)executor.identity;
  if (executor.identity == NULL) {
    facts->place = MS_TASK_ON_NO_ACTOR;
  } else if (executor.identity == main_executor) {
    facts->place = MS_TASK_ON_MAIN_ACTOR;
  } else {
    facts->place = executor.implementation == 0 ? MS_TASK_ON_ACTOR : MS_TASK_ON_EXECUTOR;
  }
}

bool ms_task_facts_here(ms_task_facts *facts) {
  *facts = (ms_task_facts){.place = MS_TASK_PLACE_UNKNOWN};
  void *task = current_task();
  if (task == NULL || !swift_task_getJobTaskId) return false;
  facts->task = swift_task_getJobTaskId(task);
  if (swift_task_currentPriority) facts->priority = (uint8_t)swift_task_currentPriority(task);
  facts->is_cancelled = swift_task_isCancelled && swift_task_isCancelled(task);
  describe_executor(facts);
  return true;
}

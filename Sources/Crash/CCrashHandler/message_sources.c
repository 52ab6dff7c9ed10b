// Looks up where the Swift runtime and the C library store their last messages.

#include <dlfcn.h>

#include "CRecorder.h"
#include "crash.h"

ms_crash_sources ms_sources;

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern MS_SWIFT_CALL size_t _swift_concurrency_debug_task_registryCount(void) __attribute__((weak));

void ms_crash_find_sources(void) {
  ms_sources.swift_text = ms_runtime_said();
  void *text = dlsym(RTLD_DEFAULT, "__abort_msg");
  ms_sources.c_library_text = ms_fact_learned(MS_FACT_ABORT_MESSAGE, text != NULL) ? text : NULL;
  ms_sources.current_task = ms_fact_is_denied(MS_FACT_TASK_GETTERS) ? NULL : swift_task_getCurrent;
  ms_sources.task_id = swift_task_getJobTaskId;
  ms_sources.all_tasks = _swift_concurrency_debug_task_registryCount;
  ms_task_learn_main();
}

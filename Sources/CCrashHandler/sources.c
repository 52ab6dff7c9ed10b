// Where the runtime and the C library keep what they say of a crash.

#include <dlfcn.h>

#include "CRuntime.h"
#include "crash.h"

ms_crash_sources ms_sources;

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern MS_SWIFT_CALL size_t _swift_concurrency_debug_task_registryCount(void) __attribute__((weak));

void ms_crash_find_sources(void) {
  ms_sources.swift_text = ms_runtime_said();
  ms_sources.c_library_text = dlsym(RTLD_DEFAULT, "__abort_msg");
  ms_sources.current_task = swift_task_getCurrent;
  ms_sources.task_id = swift_task_getJobTaskId;
  ms_sources.all_tasks = _swift_concurrency_debug_task_registryCount;
  ms_task_learn_main();
}

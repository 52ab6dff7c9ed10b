// Records the crash of a program that was not built with Mainstay. The handler is installed after the constructors of
// all libraries, so that it runs before Swift's own handler.

#include "crashes.h"

#include <dlfcn.h>

#include "CCrashHandler.h"

// The library is also loaded into programs without Swift or C++, so it does not link the C++ runtime.
void ms_uncaught_begin(void) {}
void ms_uncaught_end(void) {}
const char *ms_uncaught_type(void) { return NULL; }
const char *ms_uncaught_text(void) { return NULL; }

/// True if a sanitizer is loaded, which installs its own signal handlers and alternate stacks.
static bool has_sanitizer(void) {
  return dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init");
}

static void record_crashes(void) {
  ms_log *log = has_sanitizer() ? NULL : ms_preload_log_of_crashes();
  if (!log) return;
  ms_crash_cover_threads();
  ms_queue_start();
  ms_walk_start();
  void *runs_tasks = dlsym(RTLD_DEFAULT, "swift_job_run");
  if (runs_tasks) ms_walk_learn_tasks_later((uintptr_t)runs_tasks, ms_symbol_size(runs_tasks));
  ms_crash_options options = {.log = log, .thread_budget_ns = 1000000000};
  ms_crash_install(&options);
}

typedef int (*main_function)(int, char **, char **);
static main_function main_of_program;

static int begin_main(int count, char **arguments, char **environment) {
  record_crashes();
  __attribute__((musttail)) return main_of_program(count, arguments, environment);
}

typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/// Interposes the C library function that calls `main`.
__attribute__((visibility("default"))) int __libc_start_main(main_function main, int count, char **arguments,
                                                             void (*begin)(void), void (*end)(void),
                                                             void (*loader_end)(void), void *stack_end) {
  start_function start = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
  main_of_program = main;
  return start(begin_main, count, arguments, begin, end, loader_end, stack_end);
}

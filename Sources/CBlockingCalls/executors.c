#include "executors.h"

#include <link.h>
#include <string.h>
#include <sys/prctl.h>

#include "CQueueState.h"
#include "CRuntime.h"
#include "CStackWalk.h"
#include "program_symbols.h"

// --- With the standard library inside the program
//
// A library that was preloaded is linked with nothing in the program. Where Swift's runtime is in it, what we
// ask is found by the program's own table of symbols, if it has one.

static __attribute__((swiftcall)) void *(*task_of_program)(void);
static const char *(*label_of_program)(void *queue);
static ms_symbol job_run;

static void look_into_program(void) {
  if (dlsym(RTLD_DEFAULT, "swift_task_getCurrent") != NULL) return;
  ms_symbol found[] = {{"swift_task_getCurrent", 0, 0}, {"dispatch_queue_get_label", 0, 0}, {"swift_job_run", 0, 0}};
  if (!ms_program_symbols(found, sizeof found / sizeof *found)) return;
  label_of_program = (const char *(*)(void *))found[1].address;
  task_of_program = (__attribute__((swiftcall)) void *(*)(void))found[0].address;
  job_run = found[2];
}

bool ms_runs_task(void) {
  return task_of_program ? task_of_program() != NULL : ms_task_here() != NULL;
}

static const char *label_here(void) {
  return label_of_program ? label_of_program(NULL) : ms_queue_stamp_here().label;
}

// --- The main queue

/// Only once the main queue has run something and come back does it matter that it does not: many a `main` waits
/// for its service to begin or to end, and an async one is the first work of the queue.
static _Atomic bool main_queue_runs;

static void note_main_queue(void *is_back) {
  if (is_back) {
    atomic_store(&main_queue_runs, true);
  } else {
    ms_queue_async((void *)ms_queue_learned.main, &main_queue_runs, note_main_queue);
  }
}

static bool on_main_queue(void) {
  if (!label_of_program) return ms_queue_on_main();
  const char *label = label_of_program(NULL);
  return label && strcmp(label, "com.apple.main-thread") == 0;
}

// --- The pool, and loops

/// The queue by which the runtime fills its pool, of each priority.
static bool is_pool(const char *label) {
  return label && strcmp(label, "Swift global concurrent queue") == 0;
}

/// By the names that SwiftNIO gives its threads.
static bool is_event_loop(void) {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  return strncmp(name, "NIO-ELT-", 8) == 0 || strncmp(name, "NIO-SGLTN-", 10) == 0;
}

const char *ms_executor_needed_here(ms_call_kind kind, uint32_t places) {
  bool has_task = ms_runs_task();
  bool is_idle_loop = kind == MS_WAITS_FOR_EVENTS && !has_task;
  if (on_main_queue()) {
    bool runs = atomic_load(&main_queue_runs) && !is_idle_loop;
    return places & MS_BLOCKING_MAIN_QUEUE && runs ? MS_WORD_MAIN_QUEUE : NULL;
  }
  if (has_task && is_pool(label_here())) return places & MS_BLOCKING_POOL ? MS_WORD_COOPERATIVE_POOL : NULL;
  if (!(places & MS_BLOCKING_EVENT_LOOPS) || is_idle_loop) return NULL;
  return is_event_loop() ? MS_WORD_EVENT_LOOP : NULL;
}

// --- Learning

void ms_executors_start(uint32_t places) {
  ms_queue_start();
  ms_walk_start();
  look_into_program();
  bool asks_main = places & MS_BLOCKING_MAIN_QUEUE && !atomic_load(&main_queue_runs);
  if (asks_main && ms_queue_learned.main) {
    ms_queue_async((void *)ms_queue_learned.main, NULL, note_main_queue);
  }
}

static void find_job_run(void) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  void *address = dlsym(RTLD_DEFAULT, "swift_job_run");
  if (!address || !dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return;
  job_run = (ms_symbol){"swift_job_run", (uintptr_t)address, symbol->st_size};
}

void ms_executors_learn_task(void) {
  static _Atomic bool is_done;
  if (atomic_load_explicit(&is_done, memory_order_relaxed) || !ms_runs_task()) return;
  if (job_run.address == 0) find_job_run();
  if (job_run.address == 0 || ms_walk_learn_task_below(job_run.address, job_run.size)) {
    atomic_store(&is_done, true);
  }
}

#include "executors.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "CRecorder.h"

// --- Programs with a static standard library
//
// A preloaded library is not linked against the program. If Swift's runtime is linked into the program, its functions
// are looked up in the program's own symbol table, if the program has one.

static __attribute__((swiftcall)) void *(*task_of_program)(void);
static const char *(*label_of_program)(void *queue);
static void (*async_of_program)(void *queue, void *context, void (*work)(void *));
static void *main_of_program;
static ms_symbol job_run;
bool ms_asks_program;

static void look_into_program(void) {
  if (dlsym(RTLD_DEFAULT, "swift_task_getCurrent") != NULL) return;
  ms_symbol found[] = {{"swift_task_getCurrent", 0, 0}, {"dispatch_queue_get_label", 0, 0}, {"swift_job_run", 0, 0},
                       {"dispatch_async_f", 0, 0},      {"_dispatch_main_q", 0, 0}};
  if (!ms_symbols_of_program(found, sizeof found / sizeof *found)) return;
  label_of_program = (const char *(*)(void *))found[1].address;
  task_of_program = (__attribute__((swiftcall)) void *(*)(void))found[0].address;
  job_run = found[2];
  async_of_program = (void (*)(void *, void *, void (*)(void *)))found[3].address;
  main_of_program = (void *)found[4].address;
  ms_asks_program = true;
}

bool ms_runs_task(void) {
  return task_of_program ? task_of_program() != NULL : ms_task_here() != NULL;
}

static const char *label_here(void) {
  return label_of_program ? label_of_program(NULL) : ms_queue_stamp_here().label;
}

// --- The main queue

/// True once the main queue has run a block and returned to its loop. Before that a blocked main queue is no finding:
/// many a `main` waits for its service to begin or to end, and an async `main` is the first work of the queue.
static _Atomic bool main_queue_runs;

static void note_main_queue(void *is_back) {
  if (is_back) {
    atomic_store(&main_queue_runs, true);
  } else if (async_of_program) {
    async_of_program(main_of_program, &main_queue_runs, note_main_queue);
  } else {
    ms_queue_async((void *)ms_queue_learned.main, &main_queue_runs, note_main_queue);
  }
}

/// Enqueues the first block on the main queue of a static program. Dispatch is not ready before the program's own
/// constructors have run, which are the last to run.
void ms_executors_ask_program(void) {
  static bool is_asked;
  if (is_asked || !async_of_program) return;
  is_asked = true;
  async_of_program(main_of_program, NULL, note_main_queue);
}

static bool is_main(const char *label) { return label && strcmp(label, "com.apple.main-thread") == 0; }

static bool on_main_queue(void) { return label_of_program ? is_main(label_of_program(NULL)) : ms_queue_on_main(); }

// --- The pool and event loops

/// True if the label is that of the pool's queues. The queues of all priorities share the label.
static bool is_pool(const char *label) {
  return label && strcmp(label, "Swift global concurrent queue") == 0;
}

static bool is_loop(uint32_t thread) {
  char name[32] = "", path[64];
  if (thread == 0) {
    prctl(PR_GET_NAME, name);
    return ms_loop_threads_have(name);
  }
  snprintf(path, sizeof path, "/proc/self/task/%u/comm", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_read = read(file, name, sizeof name - 1) > 0;
  close(file);
  return is_read && ms_loop_threads_have(name);
}

// --- All executors

/// The place where a thread runs.
typedef struct {
  uint32_t thread;  // 0: the calling thread
  bool on_main, has_task;
  const char *label;
} thread_place;

static const char *needed(const thread_place *at, ms_call_kind kind, uint32_t places) {
  bool is_idle_loop = kind == MS_WAITS_FOR_EVENTS && !at->has_task;
  if (at->on_main) {
    bool runs = atomic_load(&main_queue_runs) && !is_idle_loop;
    return places & MS_BLOCKING_MAIN_QUEUE && runs ? MS_WORD_MAIN_QUEUE : NULL;
  }
  if (at->has_task && is_pool(at->label)) return places & MS_BLOCKING_POOL ? MS_WORD_POOL : NULL;
  if (!(places & MS_BLOCKING_EVENT_LOOPS) || is_idle_loop) return NULL;
  return is_loop(at->thread) ? MS_WORD_LOOP : NULL;
}

const char *ms_executor_needed_here(ms_call_kind kind, uint32_t places) {
  thread_place here = {0, on_main_queue(), ms_runs_task(), NULL};
  if (!here.on_main && here.has_task) here.label = label_here();
  return needed(&here, kind, places);
}

void ms_call_slot_note_place(ms_call_slot *slot) {
  atomic_store_explicit(&slot->label, label_of_program(NULL), memory_order_relaxed);
  if (ms_runs_task()) atomic_fetch_or_explicit(&slot->kind, MS_SLOT_IN_TASK, memory_order_relaxed);
}

static bool has_job(const uintptr_t *frames, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (frames[i] - job_run.address < job_run.size) return true;
  }
  return false;
}

const char *ms_executor_needed_by(const ms_call_slot *slot, uint32_t places, const uintptr_t *frames, uint32_t count) {
  uint32_t kind = atomic_load(&slot->kind), thread = atomic_load(&slot->thread);
  thread_place at = {thread, false, kind & MS_SLOT_IN_TASK || has_job(frames, count), NULL};
  if (ms_asks_program) {
    at.label = atomic_load(&slot->label);
    at.on_main = is_main(at.label);
  } else if (ms_queue_reads_directly()) {
    const ms_queue_layout *layout = &ms_queue_learned;
    ms_queue_stamp stamp = ms_queue_stamp_from(layout, thread, MS_QUEUE_WORD(slot->self, layout->queue),
                                               MS_QUEUE_WORD(slot->self, layout->frame));
    at.label = stamp.label;
    at.on_main = stamp.onMain;
  }
  return needed(&at, kind & MS_WAITS_FOR_EVENTS, places);
}

// --- Learning

static void find_job_run(void) {
  void *address = dlsym(RTLD_DEFAULT, "swift_job_run");
  uint64_t size = address ? ms_symbol_size(address) : 0;
  if (size > 0) job_run = (ms_symbol){"swift_job_run", (uintptr_t)address, size};
}

void ms_executors_start(uint32_t places) {
  ms_queue_start();
  ms_walk_start();
  look_into_program();
  if (job_run.address == 0) find_job_run();
  bool asks_main = places & MS_BLOCKING_MAIN_QUEUE && !atomic_load(&main_queue_runs);
  if (asks_main && ms_queue_learned.main) {
    ms_queue_async((void *)ms_queue_learned.main, NULL, note_main_queue);
  }
}

bool ms_executors_exist(void) { return ms_asks_program || ms_queue_learned.main || job_run.address; }

static _Atomic bool has_learned;

void ms_executors_learn_task(void) {
  if (atomic_load_explicit(&has_learned, memory_order_relaxed) || !ms_runs_task()) return;
  if (job_run.address == 0) find_job_run();
  if (job_run.address == 0 || ms_walk_learn_task_below(job_run.address, job_run.size)) {
    atomic_store(&has_learned, true);
  }
}

void ms_executors_learn_task_of(const ms_call_slot *slot) {
  if (atomic_load(&has_learned) || job_run.address == 0) return;
  if (ms_walk_learn_task_waiting(ms_waiting_in(slot), job_run.address, job_run.size)) {
    atomic_store(&has_learned, true);
  }
}

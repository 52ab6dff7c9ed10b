// Interposes the functions that queue work for GLib's threads, so that a finding can name the sender.

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "queued_work.h"

static const char gio[] = "libgio-2.0.so.0", glib[] = MS_GLIB, gobject[] = "libgobject-2.0.so.0";

// --- Tasks

typedef void (*task_function)(void *task, void *source, void *data, void *cancellable);
typedef void (*run_in_thread)(void *task, task_function run);

typedef struct {
  ms_toolkit_start start;
  task_function run;
} queued_task;

static const char task_key[] = "mainstay-queued";

static void task_runs(void *task, void *source, void *data, void *cancellable) {
  void *(*get)(void *, const char *) = (void *(*)(void *, const char *))ms_toolkit_of_glib(gobject, "g_object_get_data");
  // The running function may release the task.
  queued_task queued = *(queued_task *)get(task, task_key);
  ms_toolkit_work before = ms_toolkit_work_begins(&queued.start);
  queued.run(task, source, data, cancellable);
  ms_toolkit_work_ends(before);
}

static void queue_task(const char *name, void *task, task_function run, uintptr_t caller) {
  run_in_thread real = (run_in_thread)ms_toolkit_of_glib(gio, name);
  int before = errno;
  queued_task *queued = task && ms_toolkit_notes_starts() ? calloc(1, sizeof *queued) : NULL;
  if (queued) {
    void (*set)(void *, const char *, void *, void (*)(void *)) =
        (void (*)(void *, const char *, void *, void (*)(void *)))ms_toolkit_of_glib(gobject, "g_object_set_data_full");
    queued->run = run;
    ms_toolkit_note_start(&queued->start, caller);
    set(task, task_key, queued, free);
  }
  errno = before;
  real(task, queued ? task_runs : run);
}

__attribute__((visibility("default"))) void g_task_run_in_thread(void *task, task_function run) {
  queue_task("g_task_run_in_thread", task, run, (uintptr_t)__builtin_return_address(0));
}

__attribute__((visibility("default"))) void g_task_run_in_thread_sync(void *task, task_function run) {
  queue_task("g_task_run_in_thread_sync", task, run, (uintptr_t)__builtin_return_address(0));
}

// --- Pools

typedef void (*pool_function)(void *data, void *context);

/// The public part of GThreadPool.
typedef struct {
  pool_function run;
  void *context;
  int is_exclusive;
} pool;

/// Pending work, with one entry for each pointer.
typedef struct pending {
  struct pending *next;
  void *data;
  uint32_t function, count;
  bool is_unsure;  // the pointer was queued from different places
  ms_toolkit_start start;
} pending;

enum { functions = 16, buckets = 256, most_pending = 4096 };

static struct {
  pthread_mutex_t lock;
  _Atomic(pool_function) functions[functions];
  pending *waiting[buckets];
  uint32_t count;
} pools = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pending **bucket_of(const void *data) { return &pools.waiting[((uintptr_t)data >> 4) % buckets]; }

/// Finds the entry of queued work, or the end of its bucket. The caller holds the lock.
static pending **find(uint32_t function, const void *data) {
  pending **at = bucket_of(data);
  while (*at && ((*at)->data != data || (*at)->function != function)) at = &(*at)->next;
  return at;
}

static void note_work(uint32_t function, void *data, uintptr_t caller) {
  pending *noted = calloc(1, sizeof *noted);
  if (!noted) return;
  *noted = (pending){.data = data, .function = function, .count = 1};
  ms_toolkit_note_start(&noted->start, caller);
  pthread_mutex_lock(&pools.lock);
  pending **at = find(function, data), *known = *at;
  if (known) {
    size_t size = noted->start.frame_count * sizeof *noted->start.frames;
    bool is_same = known->start.frame_count == noted->start.frame_count &&
                   memcmp(known->start.frames, noted->start.frames, size) == 0;
    known->count++;
    known->is_unsure = known->is_unsure || !is_same;
  } else if (pools.count < most_pending) {
    *at = noted;
    noted = NULL;
    pools.count++;
  }
  pthread_mutex_unlock(&pools.lock);
  free(noted);
}

/// Removes the entry of work that is about to run; returns false if its sender is unknown or ambiguous.
static bool take_work(uint32_t function, const void *data, ms_toolkit_start *start) {
  pthread_mutex_lock(&pools.lock);
  pending **at = find(function, data), *known = *at;
  bool is_sure = known && !known->is_unsure;
  if (is_sure) *start = known->start;
  if (known && --known->count == 0) {
    *at = known->next;
    pools.count--;
  } else {
    known = NULL;
  }
  pthread_mutex_unlock(&pools.lock);
  free(known);
  return is_sure;
}

static void work_runs(uint32_t function, void *data, void *context) {
  ms_toolkit_start start;
  ms_toolkit_work before = ms_toolkit_work_begins(take_work(function, data, &start) ? &start : NULL);
  atomic_load(&pools.functions[function])(data, context);
  ms_toolkit_work_ends(before);
}

#define RUNS(number) \
  static void runs_##number(void *data, void *context) { work_runs(number, data, context); }
RUNS(0) RUNS(1) RUNS(2) RUNS(3) RUNS(4) RUNS(5) RUNS(6) RUNS(7)
RUNS(8) RUNS(9) RUNS(10) RUNS(11) RUNS(12) RUNS(13) RUNS(14) RUNS(15)

static const pool_function fronts[functions] = {
    runs_0, runs_1, runs_2,  runs_3,  runs_4,  runs_5,  runs_6,  runs_7,
    runs_8, runs_9, runs_10, runs_11, runs_12, runs_13, runs_14, runs_15,
};

/// The interposer of a pool's function; the function itself if no interposer is free.
static pool_function front_of(pool_function run) {
  for (uint32_t i = 0; run && ms_toolkit_notes_starts() && i < functions; i++) {
    pool_function taken = NULL;
    if (atomic_compare_exchange_strong(&pools.functions[i], &taken, run) || taken == run) return fronts[i];
  }
  return run;
}

__attribute__((visibility("default"))) void *g_thread_pool_new(pool_function run, void *context, int most,
                                                               int is_exclusive, void **error) {
  typedef void *(*new_pool)(pool_function, void *, int, int, void **);
  return ((new_pool)ms_toolkit_of_glib(glib, "g_thread_pool_new"))(front_of(run), context, most, is_exclusive, error);
}

__attribute__((visibility("default"))) void *g_thread_pool_new_full(pool_function run, void *context,
                                                                    void (*forget)(void *), int most,
                                                                    int is_exclusive, void **error) {
  typedef void *(*new_pool)(pool_function, void *, void (*)(void *), int, int, void **);
  new_pool real = (new_pool)ms_toolkit_of_glib(glib, "g_thread_pool_new_full");
  return real(front_of(run), context, forget, most, is_exclusive, error);
}

__attribute__((visibility("default"))) int g_thread_pool_push(pool *one, void *data, void **error) {
  int before = errno;
  for (uint32_t i = 0; one && i < functions; i++) {
    if (one->run == fronts[i]) note_work(i, data, (uintptr_t)__builtin_return_address(0));
  }
  errno = before;
  return ((int (*)(pool *, void *, void **))ms_toolkit_of_glib(glib, "g_thread_pool_push"))(one, data, error);
}

void ms_toolkit_starts_rest(void) {
  ms_toolkit_starts_end();
  // The thread that held the lock does not exist in a forked child.
  pthread_mutex_init(&pools.lock, NULL);
  ms_toolkit_sources_rest();
}

// --- Lookups

bool ms_toolkit_queues_by(const char *name, void **front, void **real) {
  static const struct {
    const char *library, *name;
    void *front;
  } all[] = {
      {gio, "g_task_run_in_thread", (void *)g_task_run_in_thread},
      {gio, "g_task_run_in_thread_sync", (void *)g_task_run_in_thread_sync},
      {glib, "g_thread_pool_new", (void *)g_thread_pool_new},
      {glib, "g_thread_pool_new_full", (void *)g_thread_pool_new_full},
      {glib, "g_thread_pool_push", (void *)g_thread_pool_push},
      {glib, "g_source_attach", (void *)g_source_attach},
      {glib, "g_main_context_invoke", (void *)g_main_context_invoke},
      {glib, "g_main_context_invoke_full", (void *)g_main_context_invoke_full},
  };
  for (size_t i = 0; strncmp(name, "g_", 2) == 0 && i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i].name, name) != 0) continue;
    *front = all[i].front;
    *real = ms_toolkit_find(all[i].library, name);
    return true;
  }
  return false;
}

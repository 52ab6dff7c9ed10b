// The table of watched executors. Slots are never freed, because a beat may arrive at any time. The lock is held for
// a few instructions: when a watch is added or removed, and several times a second by the watch and by beats.

#include "watched_executors.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "CRecorder.h"

struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q __attribute__((weak));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *))
    __attribute__((weak));

ms_beats ms_beats_of[MS_WATCHED_MOST];

static struct {
  pthread_mutex_t lock;
  pid_t process;
  ms_watched_facts slots[MS_WATCHED_MOST];
  uint64_t generations;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static ms_pool_ask ask_pool;  // called by the watch thread alone

// The permanent slots: the main queue, and a pool for each priority that Swift names.
static const struct {
  const char *name;
  uint8_t priority;
} always[] = {{"", 0},       {"background", 9}, {"utility", 17},
              {"medium", 21}, {"high", 25},      {"user-interactive", 33}};
enum { always_count = sizeof always / sizeof *always };

/// Locks the table. In a forked child the table is reset: the child has no watch, and the thread that held the lock
/// does not exist there.
static void lock(void) {
  pid_t process = getpid(), known = 0;
  if (!__atomic_compare_exchange_n(&table.process, &known, process, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED) &&
      known != process) {
    pthread_mutex_init(&table.lock, NULL);
    memset(table.slots, 0, sizeof table.slots);
    __atomic_store_n(&table.process, process, __ATOMIC_RELAXED);
  }
  pthread_mutex_lock(&table.lock);
}

static void unlock(void) { pthread_mutex_unlock(&table.lock); }

// --- Registration

static void fill(ms_watched_facts *slot, ms_watched_kind kind, const char *name, uint64_t threshold) {
  memset(slot, 0, sizeof *slot);
  slot->kind = kind;
  for (size_t i = 0; i < sizeof slot->name - 1 && name[i]; i++) slot->name[i] = name[i];
  slot->threshold = threshold;
  slot->generation = ++table.generations;
}

void ms_watched_always(uint64_t main_threshold, uint64_t pool_threshold, ms_pool_ask ask) {
  ms_pools_forget();
  lock();
  ask_pool = ask;
  bool has_main = &_dispatch_main_q && dispatch_async_f;
  fill(&table.slots[0], MS_WATCHED_MAIN_QUEUE, "", has_main ? main_threshold : 0);
  for (int i = 1; i < always_count; i++) {
    fill(&table.slots[i], MS_WATCHED_POOL, always[i].name, ask ? pool_threshold : 0);
    table.slots[i].priority = always[i].priority;
  }
  unlock();
}

uint64_t ms_watched_add(ms_watched_kind kind, const char *name, uint64_t threshold_ns,
                        const ms_watched_calls *calls, void *context) {
  uint64_t watch = 0;
  calls->hold(context);
  lock();
  for (uint32_t i = always_count; i < MS_WATCHED_MOST && watch == 0; i++) {
    ms_watched_facts *slot = &table.slots[i];
    if (slot->threshold) continue;
    fill(slot, kind, name, threshold_ns < 10000000 ? 10000000 : threshold_ns);
    slot->calls = *calls;
    slot->context = context;
    watch = slot->generation * MS_WATCHED_MOST + i;
  }
  unlock();
  if (watch == 0) calls->let_go(context);
  return watch;
}

void ms_watched_remove(uint64_t watch) {
  if (watch == 0) return;
  lock();
  ms_watched_facts *slot = &table.slots[watch % MS_WATCHED_MOST], gone = {0};
  if (slot->threshold && slot->generation == watch / MS_WATCHED_MOST) {
    gone = *slot;
    memset(slot, 0, sizeof *slot);
  }
  unlock();
  if (gone.calls.let_go) gone.calls.let_go(gone.context);
}

bool ms_watched_look(uint32_t slot, ms_watched_facts *facts) {
  lock();
  *facts = table.slots[slot];
  if (facts->threshold && facts->calls.hold) facts->calls.hold(facts->context);
  unlock();
  return facts->threshold > 0;
}

void ms_watched_looked(const ms_watched_facts *facts) {
  if (facts->calls.let_go) facts->calls.let_go(facts->context);
}

bool ms_watched_others(void) {
  bool any = false;
  lock();
  for (uint32_t i = always_count; i < MS_WATCHED_MOST; i++) any |= table.slots[i].threshold > 0;
  unlock();
  return any;
}

bool ms_watched_have(ms_watched_kind kind) {
  bool any = false;
  lock();
  for (uint32_t i = 0; i < MS_WATCHED_MOST; i++) any |= table.slots[i].threshold > 0 && table.slots[i].kind == kind;
  unlock();
  return any;
}

// --- Beats

static uint64_t signals_blocked_here(void) {
  uint64_t blocked = 0;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof blocked);
  return blocked;
}

void ms_watched_come(uint64_t beat) {
  ms_beats *beats = &ms_beats_of[beat % MS_WATCHED_MOST];
  uint64_t number = beat / MS_WATCHED_MOST;
  ms_task_facts task;
  uintptr_t executor = ms_task_facts_here(&task) ? task.executor : 0;
  const void *queue = NULL;
  ms_queue_all_here(&queue, 1);
  lock();
  // A beat that arrives twice, or for a watch that has ended, is ignored.
  if (atomic_load(&beats->sent) == number && atomic_load(&beats->come) != number) {
    atomic_store(&beats->thread, ms_thread_id());
    atomic_store(&beats->blocked, signals_blocked_here());
    atomic_store(&beats->executor, executor);
    atomic_store(&beats->queue, (uintptr_t)queue);
    atomic_store(&beats->come_at, ms_now());
    atomic_store(&beats->come, number);
  }
  unlock();
}

static void come_to_main(void *beat) { ms_watched_come((uint64_t)(uintptr_t)beat); }

void ms_watched_send(uint32_t slot, const ms_watched_facts *facts) {
  lock();
  uint64_t number = atomic_fetch_add(&ms_beats_of[slot].sent, 1) + 1;
  unlock();
  uint64_t beat = number * MS_WATCHED_MOST + slot;
  if (facts->kind == MS_WATCHED_MAIN_QUEUE) {
    dispatch_async_f(&_dispatch_main_q, (void *)(uintptr_t)beat, come_to_main);
  } else if (facts->kind == MS_WATCHED_POOL) {
    ask_pool(facts->priority, beat);
  } else {
    facts->calls.ask(facts->context, beat);
  }
}

// Finds the threads that hold an executor which does not answer.

#include <string.h>

#include "CRecorder.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { most_threads = 512, most_asked = 64 };

static const uint64_t patience = 100000000, most_patience = 1000000000;

/// The kernel id of the thread that runs the queue's work; 0 if no thread does.
static uint32_t holder_of_queue(const void *queue) {
  const ms_queue_layout *layout = &ms_queue_learned;
  return MS_QUEUE_HALF(queue, layout->state) & layout->owner_mask;
}

/// The only thread that may hold the executor. For a loop, or if queues cannot be read, the thread of the last beat.
static uint32_t holder_of(const ms_beats *beats, ms_watched_kind kind) {
  const void *queue = (const void *)atomic_load(&beats->queue);
  if (kind == MS_WATCHED_LOOP || !ms_queue_reads_directly() || !queue) {
    return kind == MS_WATCHED_MAIN_QUEUE ? (uint32_t)getpid() : atomic_load(&beats->thread);
  }
  return holder_of_queue(kind == MS_WATCHED_MAIN_QUEUE ? ms_queue_learned.main : queue);
}

static ms_hang_holder *ask(uint32_t thread, const void *wanted, uint64_t waits, ms_hang_holder *holder) {
  memset(holder, 0, sizeof *holder);
  holder->thread = thread;
  holder->sample.wanted = wanted;
  holder->is_sampled = ms_thread_ask(thread, waits, &holder->sample);
  return holder;
}

/// Inserts a holder by rank. Blocked holders come first, because they let no other work run.
static void insert(ms_hang *hang, const ms_hang_holder *found) {
  static const uint8_t ranks[] = {
      [MS_DOES_BLOCKED] = 0, [MS_DOES_BUSY] = 1, [MS_DOES_STARVED] = 2, [MS_DOES_UNKNOWN] = 3};
  hang->threads++;
  uint32_t at = 0;
  while (at < hang->count && ranks[hang->holders[at].doing] <= ranks[found->doing]) at++;
  if (at == MS_HOLDERS) return;
  uint32_t kept = hang->count < MS_HOLDERS ? hang->count : MS_HOLDERS - 1;
  memmove(&hang->holders[at + 1], &hang->holders[at], (kept - at) * sizeof *found);
  hang->holders[at] = *found;
  hang->count = kept + 1;
}

void ms_sample_thread(uint32_t thread, const void *wanted, ms_hang_holder *found) {
  memset(found, 0, sizeof *found);
  found->thread = thread;
  found->is_sampled = ms_thread_look(thread, &found->sample);
  if (!found->is_sampled) ask(thread, wanted, patience, found);
}

static ms_lock_holder *lock_holder(ms_hang *hang, uint32_t owner) {
  for (uint32_t i = 0; i < hang->lock_count; i++) {
    if (hang->locks[i].holder.thread == owner) return &hang->locks[i];
  }
  return NULL;
}

/// Finds the owners of the locks that the holders wait for.
static void find_lock_holders(uint64_t now, ms_hang *hang) {
  for (uint32_t i = 0; i < hang->count; i++) {
    uint32_t waiter = hang->holders[i].thread;
    uint32_t owner = hang->holders[i].doing == MS_DOES_BLOCKED ? ms_lock_owner(waiter) : 0;
    if (owner == 0) continue;
    ms_lock_holder *lock = lock_holder(hang, owner);
    if (lock == NULL) {
      if (hang->lock_count == MS_LOCK_HOLDERS) continue;
      lock = &hang->locks[hang->lock_count++];
      if (owner == waiter) {
        lock->holder = hang->holders[i];
      } else {
        ms_sample_thread(owner, NULL, &lock->holder);
        lock->holder.doing = ms_thread_doing(owner, now);
      }
    }
    lock->waiters[lock->waiter_count++] = waiter;
  }
}

static void find_one(uint32_t thread, uint64_t threshold, uint64_t now, ms_thread_mark *mark, ms_hang *hang) {
  static ms_hang_holder found;
  ms_doing doing = ms_thread_doing(thread, now);
  // A thread that has run for half of the threshold is slow itself, even if processors are scarce. The mark was set
  // when the first half of the threshold had passed.
  if (ms_thread_ran_awake(thread, mark) >= threshold / 2) doing = MS_DOES_BUSY;
  ms_sample_thread(thread, NULL, &found);
  found.doing = doing;
  insert(hang, &found);
}

/// True if a thread is a worker of Dispatch. If the signal mask of the last beat's thread is known, workers have the
/// same mask; otherwise a thread that blocks nearly all signals counts.
static bool is_worker(uint32_t thread, uint64_t blocked) {
  ms_thread_status status = ms_thread_status_of(thread, ms_asking_signal);
  if (!status.exists) return false;
  return blocked ? status.blocked == blocked : __builtin_popcountll(status.blocked) >= 40;
}

/// True if a sample may belong to a pool that has not run a beat. The queue of such a pool is unknown, but the pools'
/// common label and the names of their threads are known.
static bool may_hold_pool(uint8_t priority, const ms_thread_sample *sample) {
  static const char root[] = "com.apple.root.";
  const char *label = sample->queue;
  if (!ms_pool_may_have(priority, sample->name)) return false;
  return strcmp(label, MS_POOL_LABEL) == 0 || strncmp(label, root, sizeof root - 1) == 0;
}

/// Finds the workers that run work for `queue`; without a queue, for the actor of the last beat, or else for the pool
/// of this priority. Returns true if another worker is blocked during its work, or is blocked and does not answer:
/// such a worker does not wait for a processor.
static bool find_workers(const ms_beats *beats, const void *queue, uint8_t priority, uint64_t now, ms_hang *hang) {
  static uint32_t threads[most_threads];
  static ms_hang_holder found;
  uint64_t blocked = atomic_load(&beats->blocked);
  uintptr_t executor = atomic_load(&beats->executor);
  uint32_t count = 0, asked = 0, self = ms_thread_id();
  ms_list_threads(threads, most_threads, &count);
  // A sample with a wanted queue contains a copy of the label: the queue may be freed before its label is read.
  const void *wanted = queue ? queue : beats;
  uint64_t until = ms_now() + most_patience;
  bool another_sleeps = false, has_answer = false;
  for (uint32_t i = 0; i < count && asked < most_asked && ms_now() < until; i++) {
    if (threads[i] == self || !is_worker(threads[i], blocked)) continue;
    asked++;
    ms_doing doing = ms_thread_doing(threads[i], now);
    // On an overloaded machine, an answer takes as long as a time slice.
    if (!ask(threads[i], wanted, has_answer ? patience : most_patience / 2, &found)->is_sampled) {
      another_sleeps |= doing == MS_DOES_BLOCKED;
      continue;
    }
    has_answer = true;
    bool holds = queue      ? found.sample.is_on_wanted
                 : executor ? found.sample.executor == executor
                            : may_hold_pool(priority, &found.sample);
    found.doing = doing;
    if (holds) insert(hang, &found);
    another_sleeps |= !holds && doing == MS_DOES_BLOCKED && found.sample.queue_label;
  }
  return another_sleeps;
}

/// The global queue that lends its threads to a pool. Other work of that queue occupies the same threads.
static const void *gives_threads_to(const void *pool) {
  if (!pool || !ms_queue_reads_directly()) return pool;
  const void *target = (const void *)MS_QUEUE_WORD(pool, ms_queue_learned.target);
  return target ? target : pool;
}

/// True if only one thread can hold the executor. A pool has many threads, and any of them may run an actor.
static bool has_one_thread(ms_watched_kind kind) { return kind != MS_WATCHED_POOL && kind != MS_WATCHED_ACTOR; }

void ms_mark_holder(uint32_t slot, const ms_watched_facts *facts, ms_thread_mark *mark) {
  if (!has_one_thread(facts->kind)) return;
  uint32_t holder = holder_of(&ms_beats_of[slot], facts->kind);
  if (holder) ms_thread_ran_awake(holder, mark);
}

void ms_find_holders(uint32_t slot, const ms_watched_facts *facts, uint64_t now, ms_thread_mark *mark, ms_hang *hang) {
  const ms_beats *beats = &ms_beats_of[slot];
  if (facts->kind == MS_WATCHED_POOL) {
    const void *queue = (const void *)atomic_load(&beats->queue);
    bool another_sleeps = find_workers(beats, gives_threads_to(queue), facts->priority, now, hang);
    // The pool may be waiting for Dispatch to start a thread, which takes a processor.
    if (hang->count == 0 && !another_sleeps && ms_processor_pressure() >= 25) hang->doing = MS_DOES_STARVED;
  } else if (facts->kind == MS_WATCHED_ACTOR) {
    find_workers(beats, NULL, 0, now, hang);
  } else {
    uint32_t holder = holder_of(beats, facts->kind);
    if (holder) find_one(holder, facts->threshold, now, mark, hang);
  }
  if (hang->count) hang->doing = hang->holders[0].doing;
  find_lock_holders(now, hang);
}

void ms_find_blocked(uint32_t thread, uint64_t now, ms_hang *hang) {
  static ms_hang_holder found;
  ms_sample_thread(thread, NULL, &found);
  found.doing = MS_DOES_BLOCKED;
  insert(hang, &found);
  hang->doing = found.doing;
  find_lock_holders(now, hang);
}

// Records the threads that keep a process from its end: threads that stand in one call, and threads that compute.
//
// A thread counts as standing if it has slept in one sleep since the last snapshot of all threads, so that the owners
// of several locks and queues are those of one moment. Sampling by a signal ends a sleep. Therefore all facts are read
// before the first thread is sampled.

#include <stdlib.h>
#include <string.h>

#include "CRecorder.h"
#include "thread_list.h"
#include "watched_executors.h"

enum {
  most_threads = 512,
  most_recorded = 32,
  busy_samples = 3,  // a function that returns between two samples did not compute all the time
};

static const uint64_t between_samples_ns = 5000000;

/// The order in which threads are recorded. A member of a wait cycle owns something and waits for something.
typedef enum { IN_A_CHAIN, OWNS, COMPUTES, AWAITS_OWNER, STANDS, RANKS } rank;

typedef struct {
  uint32_t thread, owner;
  ms_doing doing;
  bool is_timed;  // the call ends by itself, or by an event
  bool owns;
} standing;

static standing all[most_threads];

static bool read_thread(uint32_t thread, uint64_t now, standing *found) {
  *found = (standing){.thread = thread, .doing = ms_thread_doing(thread, now)};
  if (found->doing == MS_DOES_BUSY || found->doing == MS_DOES_STARVED) return true;
  if (!ms_thread_has_slept(thread)) return false;
  found->doing = MS_DOES_BLOCKED;
  found->is_timed = ms_thread_wakes_itself(thread);
  if (found->is_timed) return true;
  found->owner = ms_lock_owner(thread);
  if (found->owner == 0) found->owner = ms_queue_owner(thread);
  return true;
}

static standing *standing_of(uint32_t thread, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (all[i].thread == thread) return &all[i];
  }
  return NULL;
}

static uint32_t read_all(uint64_t now) {
  static uint32_t threads[most_threads];
  uint32_t listed = 0, count = 0, self = ms_thread_id();
  ms_list_threads(threads, most_threads, &listed);
  for (uint32_t i = 0; i < listed; i++) {
    if (threads[i] != self) count += read_thread(threads[i], now, &all[count]);
  }
  for (uint32_t i = 0; i < count; i++) {
    standing *owner = all[i].owner ? standing_of(all[i].owner, count) : NULL;
    if (owner) owner->owns = true;
  }
  return count;
}

static rank rank_of(const standing *thread) {
  if (thread->owns) return thread->owner ? IN_A_CHAIN : OWNS;
  if (thread->doing != MS_DOES_BLOCKED) return COMPUTES;
  if (thread->owner) return AWAITS_OWNER;
  return thread->is_timed ? RANKS : STANDS;
}

static void record(ms_log *log, const char *during, const standing *thread, uint64_t lasted, uint32_t total) {
  static ms_hang_holder holder;
  uint32_t samples = thread->doing == MS_DOES_BLOCKED ? 1 : busy_samples;
  for (uint32_t i = 0; i < samples; i++) {
    if (i > 0) ms_sleep(between_samples_ns);
    // A sample with a wanted queue contains a copy of the label.
    ms_sample_thread(thread->thread, all, &holder);
    holder.doing = thread->doing;
    ms_leave_standing(log, during, &holder, thread->owner, lasted, i == 0 ? total : 0);
  }
}

void ms_leave_standing_threads(ms_log *log, const char *during, uint64_t now) {
  uint32_t count = read_all(now), total = 0, recorded = 0;
  for (uint32_t i = 0; i < count; i++) total += rank_of(&all[i]) != RANKS;
  for (rank wanted = 0; wanted < RANKS; wanted++) {
    for (uint32_t i = 0; i < count && recorded < most_recorded; i++) {
      if (rank_of(&all[i]) != wanted) continue;
      record(log, during, &all[i], now - ms_thread_times_noted(), recorded == 0 ? total : 0);
      recorded++;
    }
  }
}

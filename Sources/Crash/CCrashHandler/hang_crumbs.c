// Writes the crumbs of the hang watch.

#include <string.h>

#include "watched_executors.h"

static const char *const words[] = {MS_WORD_MAIN_QUEUE, MS_WORD_POOL, MS_WORD_QUEUE, MS_WORD_ACTOR,
                                    MS_WORD_LOOP};

const char *ms_watched_word(ms_watched_kind kind) { return words[kind]; }

static const char *const doings[] = {"", MS_WORD_BLOCKED, MS_WORD_BUSY, MS_WORD_STARVED};

static void add_holder(ms_crumb_builder *crumb, const ms_hang_holder *holder) {
  ms_crumb_add_integer(crumb, MS_KEY_THREAD, holder->thread);
  if (!holder->is_sampled) return;
  ms_crumb_add_string(crumb, MS_KEY_THREAD_NAME, holder->sample.name);
  if (holder->sample.task) ms_crumb_add_integer(crumb, MS_KEY_TASK, (int64_t)holder->sample.task);
  if (strcmp(holder->sample.queue, MS_POOL_LABEL) != 0) {
    ms_crumb_add_string(crumb, MS_KEY_QUEUE, holder->sample.queue);
  }
  ms_crumb_set_stack(crumb, holder->sample.frames, holder->sample.count, holder->sample.end);
  crumb->crumb.first_is_instruction = 1;
}

static ms_crumb_builder begin(ms_log *log, const ms_watched_facts *facts, const char *message) {
  return ms_crumb_begin(log, MS_KIND_HANG, 3, ms_watched_word(facts->kind), message);
}

static void leave_start(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang) {
  ms_crumb_builder crumb = begin(log, facts, MS_WORD_DOES_NOT_ANSWER);
  ms_crumb_add_integer(&crumb, MS_KEY_MILLISECONDS, (int64_t)(hang->duration / 1000000));
  ms_crumb_add_string(&crumb, MS_KEY_NAME, facts->name);
  if (facts->kind == MS_WATCHED_POOL) ms_crumb_add_integer(&crumb, MS_KEY_THREADS, hang->threads);
  if (hang->left_out) ms_crumb_add_integer(&crumb, MS_KEY_MISSED, hang->left_out);
  ms_crumb_add_string(&crumb, MS_KEY_DOING, doings[hang->doing]);
  int pressure = hang->doing == MS_DOES_STARVED ? ms_processor_pressure() : -1;
  if (pressure >= 0) ms_crumb_add_integer(&crumb, MS_KEY_PRESSURE, pressure);
  if (hang->count) add_holder(&crumb, &hang->holders[0]);
  ms_crumb_end(&crumb);
}

static void leave_holder(ms_log *log, const ms_watched_facts *facts, const ms_hang_holder *holder) {
  ms_crumb_builder crumb = begin(log, facts, MS_WORD_HOLDS_IT_TOO);
  ms_crumb_add_string(&crumb, MS_KEY_NAME, facts->name);
  ms_crumb_add_string(&crumb, MS_KEY_DOING, doings[holder->doing]);
  add_holder(&crumb, holder);
  ms_crumb_end(&crumb);
}

/// Writes a crumb for each waiter. The first crumb contains the owner's stack.
static void leave_lock_holder(ms_log *log, const ms_watched_facts *facts, const ms_lock_holder *lock) {
  for (uint32_t i = 0; i < lock->waiter_count; i++) {
    ms_crumb_builder crumb = begin(log, facts, MS_WORD_HOLDS_ITS_LOCK);
    ms_crumb_add_string(&crumb, MS_KEY_NAME, facts->name);
    ms_crumb_add_integer(&crumb, MS_KEY_WAITER, lock->waiters[i]);
    ms_crumb_add_string(&crumb, MS_KEY_DOING, doings[lock->holder.doing]);
    if (i == 0) {
      add_holder(&crumb, &lock->holder);
    } else {
      ms_crumb_add_integer(&crumb, MS_KEY_THREAD, lock->holder.thread);
    }
    ms_crumb_end(&crumb);
  }
}

void ms_leave_hang(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang) {
  leave_start(log, facts, hang);
  for (uint32_t i = 1; i < hang->count; i++) leave_holder(log, facts, &hang->holders[i]);
  for (uint32_t i = 0; i < hang->lock_count; i++) leave_lock_holder(log, facts, &hang->locks[i]);
}

void ms_leave_hang_end(ms_log *log, const ms_watched_facts *facts, const char *message,
                       uint64_t duration) {
  ms_crumb_builder crumb = begin(log, facts, message);
  ms_crumb_add_integer(&crumb, MS_KEY_MILLISECONDS, (int64_t)(duration / 1000000));
  ms_crumb_add_string(&crumb, MS_KEY_NAME, facts->name);
  ms_crumb_end(&crumb);
}

void ms_leave_standing(ms_log *log, const char *during, const ms_hang_holder *holder, uint32_t owner, uint64_t lasted,
                       uint32_t total) {
  ms_crumb_builder crumb = ms_crumb_begin(log, MS_KIND_NOTE, 2, MS_WORD_WAITING, doings[holder->doing]);
  ms_crumb_add_string(&crumb, MS_KEY_DURING, during);
  if (total) ms_crumb_add_integer(&crumb, MS_KEY_THREADS, total);
  ms_crumb_add_string(&crumb, MS_KEY_DOING, doings[holder->doing]);
  ms_crumb_add_integer(&crumb, MS_KEY_MILLISECONDS, (int64_t)(lasted / 1000000));
  if (owner) ms_crumb_add_integer(&crumb, MS_KEY_OWNER, owner);
  if (holder->sample.is_cancelled) ms_crumb_add_boolean(&crumb, MS_KEY_CANCELLED, true);
  add_holder(&crumb, holder);
  ms_crumb_end(&crumb);
}

// --- Latency

void ms_latency_add(ms_latency *latency, uint64_t took) {
  int step = 0;
  while (step < MS_LATENCY_STEPS - 1 && took >> step >= 1000) step++;
  latency->took[step]++;
  latency->beats++;
  if (took > latency->slowest) latency->slowest = took;
}

/// The given percentile of the beats' latencies in microseconds, rounded up to a power of two.
static uint64_t within(const ms_latency *latency, uint32_t percent) {
  uint64_t count = 0;
  for (int step = 0; step < MS_LATENCY_STEPS; step++) {
    count += latency->took[step];
    uint64_t bound = UINT64_C(1) << step, slowest = latency->slowest / 1000;
    if (count * 100 >= (uint64_t)latency->beats * percent) return bound < slowest ? bound : slowest;
  }
  return latency->slowest / 1000;
}

void ms_leave_latency(ms_log *log, const ms_watched_facts *facts, const ms_latency *latency, bool is_late) {
  const char *message = is_late ? MS_WORD_ANSWERS_LATE : MS_WORD_ANSWERS;
  ms_crumb_builder crumb = ms_crumb_begin(log, MS_KIND_NOTE, is_late ? 2 : 0, MS_WORD_LATENCY, message);
  ms_crumb_add_string(&crumb, MS_KEY_EXECUTOR, ms_watched_word(facts->kind));
  ms_crumb_add_string(&crumb, MS_KEY_NAME, facts->name);
  ms_crumb_add_integer(&crumb, MS_KEY_BEATS, latency->beats);
  ms_crumb_add_integer(&crumb, MS_KEY_MEDIAN, (int64_t)within(latency, 50));
  ms_crumb_add_integer(&crumb, MS_KEY_NEARLY_ALL, (int64_t)within(latency, 99));
  ms_crumb_add_integer(&crumb, MS_KEY_SLOWEST, (int64_t)(latency->slowest / 1000));
  ms_crumb_end(&crumb);
}

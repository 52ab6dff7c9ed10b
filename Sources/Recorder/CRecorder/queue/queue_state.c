// Starts the queue checks, and implements their fallbacks for processes in which the fields cannot be read directly.

#include "ms_off.h"
#include "ms_queue.h"
#include "ms_thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ms_facts.h"
#include "dispatch_symbols.h"
#include "queue_learning.h"

ms_queue_layout ms_queue_learned;

static ms_queue_knowledge knowledge;
static ms_queue_level level = MS_QUEUE_UNKNOWN;
static const char *fallback_reason;
static bool strict;

static const char denied[] = "denied by MAINSTAY_DENY_FACTS";

static const char *take_layout(const ms_queue_knowledge *found, void *held) {
  (void)found, (void)held;
  return ms_fact_learned(MS_FACT_QUEUE_LAYOUT, true) ? NULL : denied;
}

static const char *take_proof(const ms_queue_knowledge *found, void *held) {
  const char *failure = take_layout(found, held);
  if (failure == NULL) failure = ms_queue_prove(found, held);
  bool may_use = ms_fact_learned(MS_FACT_QUEUE_PROOF, failure == NULL);
  return may_use || failure ? failure : denied;
}

// Learns the layout. `MAINSTAY_QUEUE_CHECK` selects a mode: `exported` skips learning, `unproved` skips the
// verification (a sandbox may kill a process that forks), `strict` verifies each result.
static void start(void) {
  const char *mode = getenv("MAINSTAY_QUEUE_CHECK");
  bool exported = mode && strcmp(mode, "exported") == 0;
  bool unproved = mode && strcmp(mode, "unproved") == 0;
  strict = mode && strcmp(mode, "strict") == 0;

  // Both facts are unknown until the layout is learned.
  ms_fact_learned(MS_FACT_QUEUE_LAYOUT, false);
  ms_fact_learned(MS_FACT_QUEUE_PROOF, false);
  // Hops work without the layout. Learning it would create a thread and a process.
  fallback_reason = ms_is_off() ? "MAINSTAY=off"
                    : exported  ? "MAINSTAY_QUEUE_CHECK=exported"
                                : ms_queue_learn(&knowledge, unproved ? take_layout : take_proof);
  if (fallback_reason) {
    __atomic_store_n(&level, MS_QUEUE_CHAIN, __ATOMIC_RELEASE);
    return;
  }
  ms_queue_learned = knowledge.layout;
  __atomic_store_n(&level, MS_QUEUE_EXACT, __ATOMIC_RELEASE);
  __atomic_store_n(&ms_queue_learned.direct, knowledge.fixed && !strict, __ATOMIC_RELEASE);
}

void ms_queue_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

static ms_queue_level started_level(void) {
  ms_queue_level now = __atomic_load_n(&level, __ATOMIC_ACQUIRE);
  if (now != MS_QUEUE_UNKNOWN) return now;
  ms_queue_start();
  return __atomic_load_n(&level, __ATOMIC_ACQUIRE);
}

ms_queue_level ms_queue_answer_level(void) { return __atomic_load_n(&level, __ATOMIC_ACQUIRE); }

const char *ms_queue_fallback_reason(void) {
  return started_level() == MS_QUEUE_EXACT ? NULL : fallback_reason;
}

uint64_t ms_queue_serial(const void *queue) {
  if (started_level() == MS_QUEUE_EXACT) return MS_QUEUE_WORD(queue, knowledge.layout.serial);
  if (!&dispatch_queue_offsets) return 0;
  return MS_QUEUE_WORD(queue, dispatch_queue_offsets.serial);
}

// Searches the current queue and its targets: a part of libdispatch's own test. A positive result is always right; a
// queue from which the current one was called by `sync` is not found.
static bool on_chain(const void *queue) {
  if (!dispatch_get_current_queue) return false;
  const void *current = dispatch_get_current_queue();
  if (!&dispatch_queue_offsets) return current == queue;
  while (current && current != queue) {
    current = (const void *)MS_QUEUE_WORD(current, dispatch_queue_offsets.target);
  }
  return current != NULL;
}

// Compares a result with libdispatch's assertion, which traps if the results differ.
static bool compared(bool verdict, const void *queue) {
  if (strict && verdict) dispatch_assert_queue((void *)queue);
  if (strict && !verdict) dispatch_assert_queue_not((void *)queue);
  return verdict;
}

bool ms_queue_on_indirectly(const void *queue) {
  if (started_level() != MS_QUEUE_EXACT) return on_chain(queue);
  return compared(ms_queue_on_by(&knowledge, queue), queue);
}

bool ms_queue_on_main_indirectly(void) {
  return &_dispatch_main_q && ms_queue_on_indirectly(&_dispatch_main_q);
}

ms_queue_stamp ms_queue_stamp_indirectly(void) {
  if (started_level() == MS_QUEUE_EXACT) {
    ms_queue_stamp stamp = ms_queue_stamp_by(&knowledge);
    compared(stamp.onMain, &_dispatch_main_q);
    return stamp;
  }
  ms_queue_stamp stamp = {0, NULL, ms_thread_id(), ms_queue_on_main_indirectly()};
  if (dispatch_get_current_queue && dispatch_queue_get_label) {
    void *queue = dispatch_get_current_queue();
    stamp.label = dispatch_queue_get_label(queue);
    stamp.serial = ms_queue_serial(queue);
  }
  return stamp;
}

size_t ms_queue_all_here(const void **queues, size_t room) {
  if (started_level() == MS_QUEUE_EXACT) return ms_queue_all_by(&knowledge, queues, room);
  if (!dispatch_get_current_queue || room == 0) return 0;
  queues[0] = dispatch_get_current_queue();
  return 1;
}

bool ms_queue_is_serial(const void *queue) {
  if (!&dispatch_queue_offsets || dispatch_queue_offsets.width_size != 2) return false;
  uint16_t width;
  memcpy(&width, (const char *)queue + dispatch_queue_offsets.width, sizeof width);
  return width == 1;
}

bool ms_queue_here_is_serial(void) {
  if (!ms_queue_reads_directly()) return false;
  const char *self = (const char *)__builtin_thread_pointer();
  const void *current = (const void *)MS_QUEUE_WORD(self, ms_queue_learned.queue);
  return current && ms_queue_is_serial(current);
}

bool ms_queue_async(void *queue, void *context, void (*work)(void *context)) {
  if (!dispatch_async_f) return false;
  dispatch_async_f(queue, context, work);
  return true;
}

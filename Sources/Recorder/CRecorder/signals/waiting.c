// Records each task when it begins to wait.
//
// When a task leaves its thread, the concurrency library calls `swift_task_exitThreadLocalContext`, a function of
// another library, through its import table. Our hook replaces that entry while tasks are tracked. Resuming costs
// nothing: a task waits for one event at a time, so its next wait overwrites its entry, and `ms_wait_read` finds out
// true if a task still waits.

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "ms_queue.h"
#include "ms_thread.h"
#include "ms_facts.h"
#include "change_locks.h"
#include "import_hooks.h"
#include "wait_layout.h"

static void (*real_swift_task_exitThreadLocalContext)(char *local);

// --- The table: sets of entries, selected by the task's address
//
// A word identifies the owner of an entry: the task's address, above it a version, below it a flag for a write in
// progress. Only the task's own thread writes an entry. Another task takes it over only if the word is unchanged.

enum {
  ways = 16,
  sets = MS_WAITING_PLACES / ways,
  version_shift = 48,
};

static const uint64_t is_written = 1;
static const uint64_t address_bits = (UINT64_C(1) << version_shift) - 16;

typedef struct {
  _Atomic uint64_t id;
  _Atomic uint64_t since_ns;
  _Atomic uint64_t been[2];  // a filter of the places in the code at which the task has waited
  _Atomic bool is_again;
} entry;

static _Alignas(64) _Atomic uint64_t words[MS_WAITING_PLACES];
static entry entries[MS_WAITING_PLACES];
static _Atomic uint32_t held;
static _Atomic uint64_t missed;
static _Atomic bool is_noting;

#define MS_SET(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)
#define MS_GET(field) atomic_load_explicit(&(field), memory_order_relaxed)

static uint64_t mix(uint64_t value) { return value * UINT64_C(0x9e3779b97f4a7c15); }

static uint32_t set_of(uintptr_t task) { return (uint32_t)(mix(task) >> 54) % sets * ways; }

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uintptr_t word_of(uintptr_t task, uint32_t offset) {
  return *(const uintptr_t *)(task + offset);
}

/// Returns a hash that identifies a place where tasks wait: the resume addresses of the task and its callers. The
/// first context of a task that waits for a continuation is the continuation's own, which repeats the resume address.
static uint64_t place_of(uintptr_t task) {
  uint64_t place = word_of(task, ms_waiting_learned.resume);
  uintptr_t context = word_of(task, ms_waiting_learned.context);
  for (int depth = 0; context != 0 && depth < 3; depth++) {
    place = mix(place) ^ *(const uintptr_t *)(context + sizeof(uintptr_t));
    context = *(const uintptr_t *)context;
  }
  return mix(place);
}

/// Returns true if the task waits for its turn on an executor: such a wait has no place in the code. Reads the record
/// of the running task.
static bool waits_for_turn(uintptr_t task) {
  uintptr_t record = word_of(task, ms_waiting_learned.record);
  if (record == 0) return true;
  uint32_t kind = *(const uint32_t *)(record + ms_waiting_learned.kind);
  return kind == ms_waiting_learned.kinds[MS_WAITS_FOR_EXECUTOR];
}

/// Records whether the task has waited at this place before, in a filter of two hashes with 64 bits each. With twelve
/// places, one new place in forty is wrongly reported as known.
static void note_place(entry *at, uintptr_t task, bool is_known) {
  uint64_t been[2] = {is_known ? MS_GET(at->been[0]) : 0, is_known ? MS_GET(at->been[1]) : 0};
  bool is_again = false;
  if (!waits_for_turn(task)) {
    uint64_t place = place_of(task);
    uint64_t first = UINT64_C(1) << (place >> 58), second = UINT64_C(1) << (place >> 52 & 63);
    is_again = been[0] & first && been[1] & second;
    been[0] |= first;
    been[1] |= second;
  }
  MS_SET(at->been[0], been[0]);
  MS_SET(at->been[1], been[1]);
  MS_SET(at->is_again, is_again);
}

static void write_entry(uint32_t place, uint64_t word, uintptr_t task) {
  entry *at = &entries[place];
  uint64_t id = swift_task_getJobTaskId((void *)task);
  bool is_known = MS_GET(at->id) == id;      // the address may belong to another task now
  atomic_thread_fence(memory_order_release);  // a reader that sees the entry also sees the word
  MS_SET(at->id, id);
  MS_SET(at->since_ns, now());
  note_place(at, task, is_known);
  atomic_store_explicit(&words[place], (word + (UINT64_C(1) << version_shift)) & ~is_written,
                        memory_order_release);
}

/// Claims an entry for this thread: other threads neither write nor claim it until it is written.
static bool take(uint32_t place, uint64_t word, uint64_t taken) {
  return atomic_compare_exchange_strong_explicit(&words[place], &word, taken, memory_order_acquire,
                                                 memory_order_relaxed);
}

/// In a full set, replaces the entry of the task that began to wait last: a task that has waited for long usually
/// still waits, and most tasks that began to wait recently have resumed.
static bool take_newest(uint32_t first, uintptr_t task, uint32_t *taken) {
  uint32_t newest = first;
  for (uint32_t place = first; place < first + ways; place++) {
    if (MS_GET(entries[place].since_ns) >= MS_GET(entries[newest].since_ns)) newest = place;
  }
  uint64_t word = MS_GET(words[newest]);
  *taken = newest;
  return !(word & is_written) && take(newest, word, (word & ~address_bits) | task | is_written);
}

static void note(uintptr_t task) {
  uint32_t first = set_of(task), empty = MS_WAITING_PLACES;
  if (task & ~address_bits) {
    atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
    return;
  }
  for (uint32_t place = first; place < first + ways; place++) {
    uint64_t word = MS_GET(words[place]);
    if ((word & address_bits) == task) {
      if (take(place, word, word | is_written)) return write_entry(place, word, task);
      empty = place;  // another task just claimed the entry
      break;
    }
    if (word == 0 && empty == MS_WAITING_PLACES) empty = place;
  }
  if (empty < MS_WAITING_PLACES && take(empty, 0, task | is_written)) {
    atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);
    MS_SET(entries[empty].id, 0);
    return write_entry(empty, task, task);
  }
  atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
  if (take_newest(first, task, &empty)) write_entry(empty, MS_GET(words[empty]), task);
}

// The thread whose tasks are used to learn the layout; 0 when tracking has started.
static _Atomic uint32_t learner;

static void swift_task_exitThreadLocalContext_hooked(char *local) {
  if (atomic_load_explicit(&is_noting, memory_order_relaxed)) {
    note((uintptr_t)local - ms_waiting_learned.local);
  } else if (atomic_load(&learner) == ms_thread_id()) {
    ms_waiting_last_local = (uintptr_t)local;
  }
  real_swift_task_exitThreadLocalContext(local);
}

// --- Reading the table

bool ms_waiting_is_noted(void) { return atomic_load(&is_noting); }

bool ms_waiting_at(uint32_t place, ms_waiting_task *found) {
  uint64_t word = atomic_load_explicit(&words[place], memory_order_acquire);
  if (word == 0 || word & is_written) return false;
  const entry *at = &entries[place];
  *found = (ms_waiting_task){
      .task = word & address_bits,
      .task_id = MS_GET(at->id),
      .since_ns = MS_GET(at->since_ns),
      .is_again = MS_GET(at->is_again),
      .word = word,
  };
  atomic_thread_fence(memory_order_acquire);
  return ms_waiting_is_at(place, found);
}

bool ms_waiting_is_at(uint32_t place, const ms_waiting_task *known) {
  return MS_GET(words[place]) == known->word;
}

void ms_waiting_forget(uint32_t place, const ms_waiting_task *known) {
  if (take(place, known->word, 0)) atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
}

uint32_t ms_waiting_held(void) { return MS_GET(held); }

uint64_t ms_waiting_missed(void) { return MS_GET(missed); }

// --- Hooking the runtime's call

static const ms_import_hook functions[] = {MS_IMPORT_HOOK(swift_task_exitThreadLocalContext)};
static bool stands;

bool ms_waiting_begin(void) {
  ms_fact_learned(MS_FACT_WAITING_TASKS, false);  // unknown until the layout is learned
  if (!swift_task_getJobTaskId || !ms_import_hooks_find(functions, 1)) return false;
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (!stands) {
    atomic_store(&learner, ms_thread_id());
    stands = ms_import_hooks_change(NULL, functions, 1, true) > 0;
  }
  bool begun = stands;
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
  return begun;
}

bool ms_waiting_note(void) {
  atomic_store(&learner, 0);
  if (!ms_fact_learned(MS_FACT_WAITING_TASKS, ms_waiting_is_learned())) return false;
  atomic_store(&is_noting, true);
  return true;
}

static void forget_all(void) {
  for (uint32_t place = 0; place < MS_WAITING_PLACES; place++) {
    ms_waiting_task known;
    if (ms_waiting_at(place, &known)) ms_waiting_forget(place, &known);
  }
  atomic_store(&missed, 0);
}

void ms_waiting_end(void) {
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (stands) {
    atomic_store(&is_noting, false);
    ms_import_hooks_change(NULL, functions, 1, false);
    stands = false;
    forget_all();
  }
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

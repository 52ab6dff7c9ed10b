// Declarations shared by the files of this target.
#ifndef MAINSTAY_LOG_INTERNAL_H
#define MAINSTAY_LOG_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "ms_crash_append.h"
#include "ms_crash_format.h"
#include "ms_crc.h"
#include "ms_crumb_context.h"
#include "ms_fact_names.h"
#include "ms_log_append.h"
#include "ms_log_data.h"
#include "ms_log_format.h"
#include "ms_log_open.h"
#include "ms_log_read.h"
#include "ms_log_words.h"
#include "ms_process.h"
#include "ms_run_ending.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum {
  MS_LOGS = 16,        // logs open at once in a process
  MS_LEVELS = 3,       // a record, a handler that interrupted it, a handler that interrupted that
  MS_THREADS = 4096,   // threads that record into one log at once
  MS_STACK_CACHE = 64,  // stacks a thread remembers having written into its chunk
  MS_QUEUE_CACHE = 8,
  MS_LINE = 64,         // bytes that a processor's cache has together
  MS_LINES = 128,      // bytes that go from one processor's cache to another's together
  MS_WALK_CACHE = 4,   // walks that came again, by their ids
};

#define MS_NO_CHUNK UINT32_MAX

// A chunk's place in its life, in private memory: the state in the low two bits of a word and, above,
// the order in which chunks were let go. The oldest that can be had is the smallest word; an owned one
// is larger than all.
typedef enum { CHUNK_FREE = 0, CHUNK_RETIRED = 2, CHUNK_PARTIAL = 3 } chunk_state;
#define CHUNK_OWNED UINT64_MAX

typedef _Atomic uint64_t ms_chunk_word;

// The state of a chunk, kept when its owner releases it.
typedef struct {
  _Atomic uint64_t generation;
  _Atomic uint32_t used;
  uint32_t counts[MS_KINDS];
} ms_chunk_entry;

typedef struct {
  uint8_t *base;
  ms_chunk_word *words;
  ms_chunk_entry *entries;
  uint32_t chunk_size;
  uint32_t chunk_count;
} ms_pool_state;

// A queue or a stack that stands in the writer's chunk already.
typedef struct {
  uint64_t key;
  uint32_t generation;  // of the chunk it stands in, modulo 2^32
  uint16_t place;
} ms_placed;

// A search for the chunk that was let go the longest ago.
typedef struct {
  uint64_t word;   // the smallest seen so far
  uint64_t since;  // no chunk whose order is smaller was let go after the search began
  uint32_t index;
  uint32_t seen;  // how many words
} ms_chunk_search;

enum { MS_CHUNK_STEPS = 4 };

// One pool's chunk of one thread at one level of interruption: only ever used by one flow of
// control at a time, so its appends need no atomics but their order.
typedef struct {
  uint8_t *chunk;
  uint64_t generation;
  uint32_t tag;
  uint32_t seed;
  uint32_t used;
  uint32_t limit;  // up to which it writes without asking: one step of its chunk more each time
  uint32_t current;
  uint32_t previous;
  ms_chunk_search search;  // for the next one
  uint32_t counts[MS_KINDS];
  ms_placed queues[MS_QUEUE_CACHE];
} ms_writer;

// The state of a thread for one log, on cache lines of its own: a line that one thread writes must not be read by
// another. The memory is never unmapped, so that `depth` can be raised before the thread knows whether the log is
// still open.
struct ms_log_thread {
  _Alignas(MS_LINES) ms_log *log;  // these three are written by the thread alone, and read by others
  uint32_t depth;
  uint32_t kernel_id;
  uint32_t number;
  uint32_t ordinal;
  char name[16];
  ms_writer writers[MS_CRUMB_POOLS][MS_LEVELS];
  ms_placed stacks[MS_STACK_CACHE];
  ms_placed walks[MS_WALK_CACHE];
  uint8_t data[MS_LEVELS][MS_DATA_LIMIT];
  uintptr_t frames[MS_LEVELS][MS_FRAME_LIMIT];
  _Alignas(16) uint8_t room[MS_LOG_ROOM];
};

// A page that the kernel empties in a forked child, so that the child never records.
typedef struct {
  _Atomic uint32_t recording;
  _Atomic uint32_t ours;  // the log's mapping is this process's: a child has none
} ms_gate;

struct ms_log {
  ms_gate *gate;
  uint64_t id;  // never the same twice in a process
  _Atomic uint64_t left_by_gone;  // crumbs of threads that have left it
  uint32_t index;
  bool counter_clock;
  uint64_t salt;
  uint64_t anchor_every;  // ticks
  _Atomic uint64_t anchored_at;  // ticks
  _Atomic uint32_t anchor_next;
  ms_anchor before_open;         // as in the header, which goes when the log is closed
  _Atomic uint64_t tick_length;  // in 2^-32 ns; 0 until it is known well enough
  ms_log_header *header;  // its first page stays when the log is closed
  ms_pool_state pools[MS_CRUMB_POOLS];
  ms_chunk_entry *entries;
  ms_chunk_word *words;
  size_t entries_size;
  uint64_t capacity;
  int directory;  // while the log is opened, else -1; of the file nothing is kept but its mapping
  // The modules' chunk: the holder of `modules_busy` appends to it.
  uint8_t *modules;
  uint64_t modules_generation;
  uint32_t modules_used;
  uint32_t modules_size;
  _Atomic uint32_t modules_busy;
  struct ms_known_modules *known;
  // The crash's chunk: a thread that increments `crash_used` owns the reserved range.
  uint8_t *crash;
  uint64_t crash_generation;
  uint32_t crash_size;
  _Atomic uint32_t crash_used;
  // Incremented by every thread that changes its chunk, and therefore on another line than the fields that all
  // threads read.
  _Alignas(MS_LINES) _Atomic uint64_t generations;
  _Atomic uint32_t ordinals;
  _Atomic uint32_t threads;   // that have a slot for this log
  _Atomic uint32_t visitors;  // who use its memory outside of a bracket
  _Atomic bool closed;
  ms_log *next_retired;
};

static inline void ms_order(void) { atomic_signal_fence(memory_order_seq_cst); }

/// Returns the size of the longest prefix of a text within `limit` bytes that ends at a character boundary. Signal
/// safety: safe.
static inline size_t ms_cut_text(const char *text, size_t size, size_t limit) {
  if (__builtin_expect(size <= limit, 1)) return size;
  while (limit > 0 && ((uint8_t)text[limit] & 0xc0) == 0x80) limit--;
  return limit;
}

static inline uint64_t ms_clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/// The log's own clock. Signal safety: safe.
static inline uint64_t ms_ticks(const ms_log *log) {
#if defined(__x86_64__)
  if (__builtin_expect(log->counter_clock, 1)) return __rdtsc();
#elif defined(__aarch64__)
  if (__builtin_expect(log->counter_clock, 1)) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return ms_clock_ns(CLOCK_MONOTONIC);
}

// record.c: a reader never takes a part of a record for the whole.
static inline uint64_t ms_record_first_word(uint32_t tag, uint32_t words, ms_record_type type,
                                            ms_kind kind) {
  return (uint64_t)tag | (uint64_t)words << 32 | (uint64_t)type << 48 | (uint64_t)kind << 56;
}

/// Says that a record begins here, before any other byte of it is written.
static inline void ms_record_store_first(ms_record_head *head, uint64_t first) {
  // model: record-first
  __atomic_store_n((uint64_t *)head, first, __ATOMIC_RELAXED);
  ms_order();
}

/// Begins a record that is no crumb. Signal safety: safe.
ms_record_head *ms_record_begin(uint8_t *chunk, uint32_t used, uint32_t tag, uint32_t words,
                                ms_record_type type);

/// Commits it: all of its words are written. Signal safety: safe.
void ms_record_commit(ms_record_head *head, uint32_t words, uint32_t seed);

// clock.c
bool ms_counter_is_trusted(void);
uint64_t ms_counter_anchor_interval(bool counter_clock);
ms_anchor ms_anchor_now(const ms_log *log);
ms_anchor ms_anchor_latest(const ms_log *log);
uint32_t ms_tick_length(ms_log *log);  // as a chunk's header has it
/// How long a tick lasts, by the time since the log began to be opened: exact after a tenth of a second, and then kept;
/// before that as exact as two readings of a clock a moment apart.
uint64_t ms_learn_tick_length(ms_log *log);
void ms_anchor_refresh(ms_log *log, uint64_t ticks);

static inline uint64_t ms_length_of_tick(ms_log *log) {
  uint64_t known = atomic_load_explicit(&log->tick_length, memory_order_relaxed);
  return __builtin_expect(known != 0, 1) ? known : ms_learn_tick_length(log);
}

static inline uint64_t ms_nanoseconds_between(ms_log *log, uint64_t then, uint64_t now) {
  uint64_t ticks = now > then ? now - then : 0;  // two processors' counters may differ a little
  if (__builtin_expect(!log->counter_clock, 0)) return ticks;
  return (uint64_t)((__uint128_t)ticks * ms_length_of_tick(log) >> 32);
}

// chunks.c
/// Sees to it that `needs` bytes more fit into the writer's chunk, which may be another then.
bool ms_chunk_make_room(ms_log_thread *thread, ms_writer *writer, ms_pool pool, uint32_t needs);
void ms_chunks_let_go(ms_log *log, ms_writer *writer, ms_pool pool);
void ms_chunk_begin(ms_log *log, uint8_t *chunk, ms_pool pool, uint32_t index, uint32_t size,
                    uint64_t generation);

// threads.c

// Set in an entry's id, it sends the thread's next crumbs the slow way.
#define MS_SLOW_ENTRY (UINT64_C(1) << 63)

// A thread's slots, by log. An entry counts only while its id is that of the log at its index.
typedef struct {
  volatile uint64_t log;  // written after `thread`, read before it
  ms_log_thread *volatile thread;
  volatile bool attaching;
  volatile bool let_bus_error_through;  // the host had it blocked here
} thread_entry;

// initial-exec: the first access in a thread, which may be a handler's, must not allocate. It takes
// room that a program keeps for libraries loaded later, of which there is little.
extern _Thread_local thread_entry ms_mine[MS_LOGS]
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

_Static_assert(sizeof ms_mine <= 384, "there is little room for what is loaded later");

/// Whether the entry is one of this log's. Signal safety: safe.
static inline bool ms_is_entry_of(const thread_entry *entry, const ms_log *log) {
  return (entry->log & ~MS_SLOW_ENTRY) == log->id;
}

ms_log_thread *ms_thread_enter_slowly(ms_log *log, ms_kind kind);

// faults.c
/// This thread leaves a crumb: faults that it met before are survived, unless it does so in the
/// handler of one. Signal safety: safe.
void ms_fault_note_crumb(ms_log *log, uint32_t thread);

/// Whether the process is ended by the handler of a fault that this thread met: then that is a crash.
/// Signal safety: safe.
bool ms_fault_ends_here(ms_log *log);

/// Raises the depth first and then checks that the log is open. The closing thread does the two in reverse order,
/// after a barrier for all threads, so that one of the two sees the other.
static inline ms_log_thread *ms_thread_enter(ms_log *log, ms_kind kind) {
  thread_entry *entry = &ms_mine[log->index];
  if (__builtin_expect(entry->log != log->id, 0)) return ms_thread_enter_slowly(log, kind);
  ms_log_thread *thread = entry->thread;
  uint32_t depth = thread->depth;
  if (__builtin_expect(depth >= MS_LEVELS, 0)) return ms_thread_enter_slowly(log, kind);
  __atomic_store_n(&thread->depth, depth + 1, __ATOMIC_RELAXED);
  ms_order();
  if (__builtin_expect(atomic_load_explicit(&log->gate->recording, memory_order_relaxed), 1)) {
    return thread;
  }
  __atomic_store_n(&thread->depth, depth, __ATOMIC_RELAXED);
  return NULL;
}

static inline void ms_thread_leave(ms_log_thread *thread) {
  __atomic_store_n(&thread->depth, thread->depth - 1, __ATOMIC_RELEASE);
}

bool ms_threads_start(void);

// slots.c
ms_log_thread *ms_slot_take(void);
void ms_slot_give_back(ms_log_thread *thread);
void ms_slot_leave_log(ms_log_thread *thread);
bool ms_slots_are_out_of(const ms_log *log);

// registry.c
bool ms_registry_start(void (*forget_in_child)(void));
bool ms_log_register(ms_log *log);  // its id is 0 until then
void ms_log_unregister(ms_log *log);
bool ms_log_take_gate(ms_log *log);
bool ms_log_visit(ms_log *log);  // false: it is closed; else its memory stays until it is left
void ms_log_unvisit(ms_log *log);
ms_log *ms_log_visit_at(const void *address);  // the open log in whose mapping this lies
bool ms_log_put_memory(ms_log *log, size_t from, size_t to);
void ms_log_lock_registry(void);
void ms_log_unlock_registry(void);

// keep_loaded.c
/// Keeps the library that holds us loaded for good. Signal safety: not safe.
void ms_stay_loaded(void);

// retire.c
void ms_log_retire(ms_log *log);
void ms_log_sweep(void);

// modules.c
size_t ms_modules_memory(void);  // what `known` needs, zeros at first
void ms_modules_start(ms_log *log);
bool ms_modules_note(ms_log *log, const uintptr_t *frames, uint32_t count, uint64_t ticks);

#endif

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
  MS_LOGS = 16,        // logs that a process can have open at once
  MS_LEVELS = 3,       // a record, a handler that interrupted it, and a handler that interrupted that handler
  MS_THREADS = 4096,   // threads that can record into one log at once
  MS_STACK_CACHE = 64,  // cached positions of stacks in a thread's chunk
  MS_QUEUE_CACHE = 8,
  MS_LINE = 64,         // the size of a cache line
  MS_LINES = 128,      // the unit of transfer between processor caches: two adjacent lines
  MS_WALK_CACHE = 4,   // cached positions of repeated walks, by their ids
  MS_TEMPLATE_CACHE = 64,  // cached positions of templates
  MS_TEXTS_CACHE = 128,    // pairs of parts of the keys of texts that were recorded once
  MS_CONTEXT_CACHE = 64,   // cached positions of crumbs with a context's values
};

#define MS_NO_CHUNK UINT32_MAX

// The state of a chunk, in private memory: the state in the low two bits of a word, and above it a number that
// increases with each release. The smallest word is the oldest available chunk; the word of an owned chunk is larger
// than all others.
typedef enum { CHUNK_FREE = 0, CHUNK_RETIRED = 2, CHUNK_PARTIAL = 3 } chunk_state;
#define CHUNK_OWNED UINT64_MAX

typedef _Atomic uint64_t ms_chunk_word;

// The data that the owner of a chunk stores when it releases the chunk.
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

// A cached position of a queue or stack record in the writer's chunk.
typedef struct {
  uint64_t key;
  uint32_t generation;  // the generation of the chunk that contains the record, modulo 2^32
  uint16_t place;
} ms_placed;

// A search for the chunk that was released first.
typedef struct {
  uint64_t word;   // the smallest word so far
  uint64_t since;  // every chunk with a smaller order was released before the search began
  uint32_t index;
  uint32_t seen;  // the number of words examined
} ms_chunk_search;

enum { MS_CHUNK_STEPS = 4 };

// A chunk of one pool for one thread at one level of interruption. Only one flow of control uses it at a time, so
// that appending needs ordered stores, but no atomic read-modify-write.
typedef struct {
  uint8_t *chunk;
  uint64_t generation;
  uint32_t tag;
  uint32_t seed;
  uint32_t used;
  uint32_t limit;  // the writer appends up to this offset without a check; grows by one step of the chunk at a time
  uint32_t current;
  uint32_t previous;
  ms_chunk_search search;  // the search for the next chunk
  uint32_t counts[MS_KINDS];
  ms_placed queues[MS_QUEUE_CACHE];
} ms_writer;

// The state of a thread for one log, on separate cache lines: no thread may read a line that another thread writes.
// The memory is never unmapped, so that `depth` can be raised before the thread knows whether the log is still open.
struct ms_log_thread {
  _Alignas(MS_LINES) ms_log *log;  // written by this thread only, like the next two fields, and read by others
  uint32_t depth;
  uint32_t kernel_id;
  uint32_t number;
  uint32_t ordinal;
  char name[16];
  ms_writer writers[MS_CRUMB_POOLS][MS_LEVELS];
  ms_placed stacks[MS_STACK_CACHE];
  ms_placed walks[MS_WALK_CACHE];
  ms_placed templates[MS_TEMPLATE_CACHE];
  uint32_t texts[MS_TEXTS_CACHE][2];
  ms_placed contexts[MS_CONTEXT_CACHE];
  ms_data encoded[MS_LEVELS];
  uint8_t data[MS_LEVELS][MS_DATA_LIMIT];
  uint64_t words[MS_DATA_LIMIT / 8 + 4];  // of a brief crumb, from `texts` on; at the outermost level
  uintptr_t frames[MS_LEVELS][MS_FRAME_LIMIT];
  _Alignas(16) uint8_t room[MS_LOG_ROOM];
};

// A gate, on a page that the kernel clears in a forked child, so that the child never records.
typedef struct {
  _Atomic uint32_t recording;
  _Atomic uint32_t ours;  // true if the log's mapping belongs to this process; a child has none
} ms_gate;

struct ms_log {
  ms_gate *gate;
  uint64_t id;  // the number of the log in this process, from 1
  _Atomic uint64_t left_by_gone;  // the crumbs of threads that have left the log
  uint32_t index;
  bool counter_clock;
  uint64_t salt;
  uint64_t anchor_every;  // ticks
  _Atomic uint64_t anchored_at;  // ticks
  _Atomic uint32_t anchor_next;
  ms_anchor before_open;         // a copy of the header's field, because the header may be unmapped
  _Atomic uint64_t tick_length;  // the length of a tick in 2^-32 ns; 0 until it is measured precisely
  ms_log_header *header;  // the first page remains after the log is closed
  ms_pool_state pools[MS_CRUMB_POOLS];
  ms_chunk_entry *entries;
  ms_chunk_word *words;
  size_t entries_size;
  uint64_t capacity;
  uint32_t keep;  // the number of earlier logs to keep
  const uint8_t *build_id;  // the program's, in its memory; NULL if it has none
  uint32_t build_id_size;
  int directory;  // open only while the log is opened, else -1; of the file, only the mapping is kept
  // The modules' chunk: the holder of `modules_busy` appends to it.
  uint8_t *modules;
  uint64_t modules_generation;
  uint32_t modules_used;
  uint32_t modules_size;
  _Atomic uint32_t modules_busy;
  struct ms_known_modules *known;
  // The crash chunk: a thread that increments `crash_used` owns the reserved range.
  uint8_t *crash;
  uint64_t crash_generation;
  uint32_t crash_size;
  _Atomic uint32_t crash_used;
  // Incremented by every thread that changes its chunk, and therefore on another line than the fields that all
  // threads read.
  _Alignas(MS_LINES) _Atomic uint64_t generations;
  _Atomic uint32_t ordinals;
  _Atomic uint32_t threads;   // threads that have a slot for this log
  _Atomic uint32_t visitors;  // threads that use the log's memory outside of a bracket
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

/// Returns the time of the log's clock. Signal safety: safe.
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

// record.c: begins and commits records such that a reader rejects an incomplete one.
static inline uint64_t ms_record_first_word(uint32_t tag, uint32_t words, ms_record_type type,
                                            ms_kind kind) {
  return (uint64_t)tag | (uint64_t)words << 32 | (uint64_t)type << 48 | (uint64_t)kind << 56;
}

/// Stores the first word of a record, before any other byte of the record.
static inline void ms_record_store_first(ms_record_head *head, uint64_t first) {
  // model: record-first
  __atomic_store_n((uint64_t *)head, first, __ATOMIC_RELAXED);
  ms_order();
}

/// Begins a record other than a crumb. Signal safety: safe.
ms_record_head *ms_record_begin(uint8_t *chunk, uint32_t used, uint32_t tag, uint32_t words,
                                ms_record_type type);

/// Commits a record, all words of which are written. Signal safety: safe.
void ms_record_commit(ms_record_head *head, uint32_t words, uint32_t seed);

// clock.c
bool ms_counter_is_trusted(void);
uint64_t ms_counter_anchor_interval(bool counter_clock);
ms_anchor ms_anchor_now(const ms_log *log);
ms_anchor ms_anchor_latest(const ms_log *log);
uint32_t ms_tick_length(ms_log *log);  // the length of a tick in 2^-24 ns
/// Measures the length of a tick over the time since the log was opened. The result is stored once a tenth of a
/// second has passed; before that, its precision is limited by two close readings of the clock.
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
/// Makes sure that `needs` more bytes fit into the writer's chunk; may give the writer another chunk.
bool ms_chunk_make_room(ms_log_thread *thread, ms_writer *writer, ms_pool pool, uint32_t needs);
void ms_chunks_let_go(ms_log *log, ms_writer *writer, ms_pool pool);
void ms_chunk_begin(ms_log *log, uint8_t *chunk, ms_pool pool, uint32_t index, uint32_t size,
                    uint64_t generation);

// threads.c

// A flag in an entry's `log` that sends the thread's next crumbs through the slow path.
#define MS_SLOW_ENTRY (UINT64_C(1) << 63)

// A thread-local entry for one log, with the thread's slot in that log. An entry is valid only if `log`, without
// MS_SLOW_ENTRY, is the id of the log at the entry's index.
typedef struct {
  volatile uint64_t log;  // written after `thread`, read before `thread`
  ms_log_thread *volatile thread;
  volatile bool attaching;
  volatile bool let_bus_error_through;  // true if the host had SIGBUS blocked on this thread
} thread_entry;

// initial-exec, because the first access in a thread, which may be in a handler, must not allocate. The array takes
// space from the small static TLS reserve for libraries that are loaded later.
extern _Thread_local thread_entry ms_mine[MS_LOGS]
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

_Static_assert(sizeof ms_mine <= 384, "there is little room for what is loaded later");

/// Returns true if the entry belongs to this log. Signal safety: safe.
static inline bool ms_is_entry_of(const thread_entry *entry, const ms_log *log) {
  return (entry->log & ~MS_SLOW_ENTRY) == log->id;
}

ms_log_thread *ms_thread_enter_slowly(ms_log *log, ms_kind kind);

// faults.c
/// Marks earlier faults of this thread as survived because the thread records a crumb, unless the thread does so
/// inside the handler of a fault. Signal safety: safe.
void ms_fault_note_crumb(ms_log *log, uint32_t thread);

/// Returns true if the process is being ended inside the handler of this thread's fault, which therefore is a crash.
/// Signal safety: safe.
bool ms_fault_ends_here(ms_log *log);

/// Enters a bracket: raises the depth first and then checks that the log is open. The closing thread does the two in
/// reverse order, after a memory barrier on all threads, so that one of the two threads sees the other.
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
bool ms_log_register(ms_log *log);  // sets `log->id`, which is 0 before
void ms_log_unregister(ms_log *log);
bool ms_log_take_gate(ms_log *log);
bool ms_log_visit(ms_log *log);  // false if the log is closed; otherwise its memory stays mapped until `ms_log_unvisit`
void ms_log_unvisit(ms_log *log);
ms_log *ms_log_visit_at(const void *address);  // the open log whose mapping contains `address`
bool ms_log_put_memory(ms_log *log, size_t from, size_t to);
void ms_log_lock_registry(void);
void ms_log_unlock_registry(void);

// keep_loaded.c
/// Keeps the library that contains this code loaded. Signal safety: not safe.
void ms_stay_loaded(void);

// retire.c
void ms_log_retire(ms_log *log);
void ms_log_sweep(void);

// modules.c
size_t ms_modules_memory(void);  // the size of `known`, which must be zeroed
void ms_modules_start(ms_log *log);
bool ms_modules_note(ms_log *log, const uintptr_t *frames, uint32_t count, uint64_t ticks);

#endif

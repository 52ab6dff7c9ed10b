// The memory of threads that record: a thread takes a slot for a log, and releases it when the thread ends.
//
// Slots are mapped a few at a time as threads arrive, so that a host that locks its memory or has a small address
// space only pays for the slots in use. Slots are never unmapped.

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"

enum { slots_in_block = 8, fewest_to_search = 64 };

// A slot in the state SLOT_SEARCHED is neither free nor owned by its thread.
enum { SLOT_FREE = 0, SLOT_TAKEN = 1, SLOT_SEARCHED = 2 };

typedef struct block {
  struct block *next;
  ms_log_thread threads[slots_in_block];
  _Atomic uint8_t states[slots_in_block];
} block;

static block *_Atomic blocks;
static _Atomic uint32_t slot_count;
static _Atomic uint32_t search_at = fewest_to_search;

static bool change(_Atomic uint8_t *state, uint8_t from, uint8_t to) {
  return atomic_compare_exchange_strong_explicit(state, &from, to, memory_order_acq_rel,
                                                 memory_order_relaxed);
}

static ms_log_thread *take_free(void) {
  for (block *in = atomic_load(&blocks); in; in = in->next) {
    for (int i = 0; i < slots_in_block; i++) {
      if (atomic_load_explicit(&in->states[i], memory_order_relaxed) != SLOT_FREE) continue;
      if (change(&in->states[i], SLOT_FREE, SLOT_TAKEN)) return &in->threads[i];
    }
  }
  return NULL;
}

static ms_log_thread *take_from_new_block(void) {
  void *memory = mmap(NULL, sizeof(block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  block *made = memory;
  atomic_store(&made->states[0], SLOT_TAKEN);
  made->next = atomic_load(&blocks);
  while (!atomic_compare_exchange_weak(&blocks, &made->next, made)) continue;
  atomic_fetch_add(&slot_count, slots_in_block);
  return &made->threads[0];
}

/// Releases the slot's chunks to other threads, if its log is open, and clears the slot.
void ms_slot_leave_log(ms_log_thread *thread) {
  ms_log *log = thread->log;
  if (log == NULL) return;
  if (ms_log_visit(log)) {
    for (int pool = 0; pool < MS_CRUMB_POOLS; pool++) {
      for (int level = 0; level < MS_LEVELS; level++) {
        ms_chunks_let_go(log, &thread->writers[pool][level], (ms_pool)pool);
      }
    }
    ms_log_unvisit(log);
  }
  uint32_t left = __atomic_exchange_n(&thread->number, 0, __ATOMIC_RELAXED);
  atomic_fetch_add(&log->left_by_gone, left);
  atomic_fetch_sub(&log->threads, 1);
  // The cached positions refer to chunks of the previous log.
  size_t kept = offsetof(ms_log_thread, number);
  memset((uint8_t *)thread + kept, 0, offsetof(ms_log_thread, data) - kept);
  __atomic_store_n(&thread->depth, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->kernel_id, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->log, NULL, __ATOMIC_RELAXED);
}

static _Atomic uint8_t *state_of(ms_log_thread *thread) {
  for (block *in = atomic_load(&blocks); in; in = in->next) {
    if (thread < in->threads || thread >= in->threads + slots_in_block) continue;
    return &in->states[thread - in->threads];
  }
  return NULL;
}

void ms_slot_give_back(ms_log_thread *thread) {
  _Atomic uint8_t *state = state_of(thread);
  ms_slot_leave_log(thread);
  if (state) atomic_store_explicit(state, SLOT_FREE, memory_order_release);
}

static bool is_dead(uint32_t thread) {
  return thread != 0 && syscall(SYS_tgkill, getpid(), thread, 0) != 0 && errno == ESRCH;
}

static uint32_t kernel_id_of(ms_log_thread *thread) {
  return __atomic_load_n(&thread->kernel_id, __ATOMIC_RELAXED);
}

/// Releases the slots of threads that ended without the destructor: a thread that records in its last destructor,
/// after ours, keeps its slot. No callback reports the end of such a thread, so the search runs before the number of
/// slots doubles. Returns the number of slots in use.
static uint32_t search_for_left_behind(void) {
  uint32_t used = 0;
  for (block *in = atomic_load(&blocks); in; in = in->next) {
    for (int i = 0; i < slots_in_block; i++) {
      ms_log_thread *thread = &in->threads[i];
      if (atomic_load(&in->states[i]) != SLOT_TAKEN) continue;
      uint32_t id = kernel_id_of(thread);
      used++;
      if (!is_dead(id) || !change(&in->states[i], SLOT_TAKEN, SLOT_SEARCHED)) continue;
      bool is_same = kernel_id_of(thread) == id;  // another thread may have taken the slot meanwhile
      if (is_same) ms_slot_leave_log(thread);
      change(&in->states[i], SLOT_SEARCHED, is_same ? SLOT_FREE : SLOT_TAKEN);
      used -= is_same;
    }
  }
  return used;
}

/// Returns a slot for the calling thread; NULL if there is no memory. Signal safety: safe (system calls only).
ms_log_thread *ms_slot_take(void) {
  ms_log_thread *thread = take_free();
  if (thread) return thread;
  if (atomic_load(&slot_count) >= atomic_load(&search_at)) {
    uint32_t used = search_for_left_behind();
    atomic_store(&search_at, 2 * used > fewest_to_search ? 2 * used : fewest_to_search);
    thread = take_free();
    if (thread) return thread;
  }
  return take_from_new_block();
}

ms_log_counts ms_log_counts_of(const ms_log *log) {
  ms_log_counts counts = {.crumbs = atomic_load(&log->left_by_gone)};
  for (int kind = 0; kind < MS_KINDS; kind++) {
    counts.dropped += __atomic_load_n(&log->header->progress.dropped[kind], __ATOMIC_RELAXED);
  }
  for (block *in = atomic_load(&blocks); in; in = in->next) {
    for (int i = 0; i < slots_in_block; i++) {
      ms_log_thread *thread = &in->threads[i];
      if (atomic_load(&in->states[i]) == SLOT_FREE) continue;
      if (__atomic_load_n(&thread->log, __ATOMIC_ACQUIRE) != log) continue;
      counts.crumbs += __atomic_load_n(&thread->number, __ATOMIC_RELAXED);
    }
  }
  return counts;
}

/// Returns true if no thread is inside a bracket of this log.
bool ms_slots_are_out_of(const ms_log *log) {
  for (block *in = atomic_load(&blocks); in; in = in->next) {
    for (int i = 0; i < slots_in_block; i++) {
      ms_log_thread *thread = &in->threads[i];
      if (atomic_load(&in->states[i]) == SLOT_FREE) continue;
      if (__atomic_load_n(&thread->log, __ATOMIC_ACQUIRE) == log &&
          __atomic_load_n(&thread->depth, __ATOMIC_ACQUIRE) != 0) {
        return false;
      }
    }
  }
  return true;
}

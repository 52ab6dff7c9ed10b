// Finds the thread that runs a queue for which another thread waits in a synchronous call.
//
// Dispatch keeps a record of the call on the stack of the waiting thread, which sleeps on a word of that record. The
// layout of the record is private. A record counts only if it contains its own address and the id of the waiting
// thread. The owner of a queue is read at the offsets that `ms_queue_start` has learned.

#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "CRecorder.h"
#include "memory_map.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { record_itself = 40, record_queue = 56, record_event = 96, record_waiter = 100, record_size = 104 };
enum { most_targets = 16 };

static bool read_word(uintptr_t address, uintptr_t *word) {
  return ms_memory_read(address, word, sizeof *word) == sizeof *word;
}

/// The word that the thread waits for without a time limit; 0 if it does not.
static uintptr_t awaited_word(const char *call) {
  unsigned long number, address, operation, value, timeout;
  if (sscanf(call, "%lu %lx %lx %lx %lx", &number, &address, &operation, &value, &timeout) != 5) return 0;
  bool waits = number == SYS_futex && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT && timeout == 0;
  return waits && address > record_event ? address : 0;
}

/// The queue of the synchronous call in which the thread waits; 0 if it waits for something else.
static uintptr_t awaited_queue(uint32_t waiter, const char *call) {
  uint8_t record[record_size];
  uintptr_t word = awaited_word(call), start = word - record_event, itself, queue;
  uint32_t thread;
  if (word == 0 || start % sizeof itself != 0) return 0;
  if (ms_memory_read(start, record, sizeof record) != sizeof record) return 0;
  __builtin_memcpy(&itself, record + record_itself, sizeof itself);
  __builtin_memcpy(&queue, record + record_queue, sizeof queue);
  __builtin_memcpy(&thread, record + record_waiter, sizeof thread);
  return itself == start && thread == waiter ? queue : 0;
}

/// The thread that runs the queue, or the first of its targets that a thread runs; 0 if none does.
static uint32_t runner_of(uintptr_t queue, uint32_t waiter) {
  const ms_queue_layout *layout = &ms_queue_learned;
  for (int i = 0; i < most_targets && queue != 0; i++) {
    uintptr_t state;
    if (!read_word(queue + layout->state, &state)) return 0;
    uint32_t owner = (uint32_t)state & layout->owner_mask;
    if (owner && owner != waiter) return owner;
    if (!read_word(queue + layout->target, &queue)) return 0;
  }
  return 0;
}

uint32_t ms_queue_owner(uint32_t waiter) {
  char before[MS_CALL_TEXT], after[MS_CALL_TEXT];
  if (!ms_queue_reads_directly() || !ms_thread_call(waiter, before)) return 0;
  uintptr_t queue = awaited_queue(waiter, before);
  uint32_t owner = queue ? runner_of(queue, waiter) : 0;
  // If the waiter still waits, the record and the queue existed when they were read.
  bool still_waits = owner && ms_thread_call(waiter, after) && __builtin_strcmp(before, after) == 0;
  return still_waits && ms_thread_status_of(owner, ms_asking_signal).exists ? owner : 0;
}

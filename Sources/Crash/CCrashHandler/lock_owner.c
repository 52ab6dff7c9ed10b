// Finds the owner of the lock for which another thread waits.
//
// A thread that waits for a glibc mutex sleeps on the mutex's lock word, whose value is then 2. The same struct
// contains the owner's kernel id (bits/struct_mutex.h). glibc guarantees neither, so both are verified with a mutex
// of our own. Swift's mutexes wait by FUTEX_LOCK_PI, whose word contains the owner's id by the kernel's interface
// (futex(2)).

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "CRecorder.h"
#include "crash.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { is_free = 0, is_locked = 1, is_contended = 2, command_bits = FUTEX_CMD_MASK };

static bool knows_mutexes;  // set before the watch thread starts

typedef struct {
  uintptr_t address;
  uint32_t word;
} word_read;

// The read may fault, because the owner may free the mutex meanwhile.
__attribute__((no_sanitize("address", "thread"))) static void read_word(void *argument) {
  word_read *read = argument;
  read->word = *(const volatile uint32_t *)read->address;
}

#ifdef __GLIBC__
typedef struct {
  uint32_t lock, owner;
} mutex_state;

static mutex_state state_of(const pthread_mutex_t *mutex) {
  const volatile pthread_mutex_t *read = mutex;
  return (mutex_state){(uint32_t)read->__data.__lock, (uint32_t)read->__data.__owner};
}

static bool is_state(const pthread_mutex_t *mutex, uint32_t lock, uint32_t owner) {
  mutex_state state = state_of(mutex);
  return state.lock == lock && state.owner == owner;
}

/// True if a mutex contains its owner's id and the expected value of a contended lock. The owner itself waits for its
/// mutex, with a timeout in the past.
static bool are_mutexes_as_known(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const struct timespec passed = {0, 0};
  uint32_t self = ms_thread_id();
  if (pthread_mutex_lock(&mutex) != 0) return false;
  bool is_known = is_state(&mutex, is_locked, self);
  is_known = pthread_mutex_timedlock(&mutex, &passed) == ETIMEDOUT && is_state(&mutex, is_contended, self) && is_known;
  pthread_mutex_unlock(&mutex);
  return is_known && is_state(&mutex, is_free, 0);
}
#else
static bool are_mutexes_as_known(void) { return false; }
#endif

void ms_lock_owner_learn(void) { knows_mutexes = ms_fact_learned(MS_FACT_LOCK_OWNER, are_mutexes_as_known()); }

/// The address of the word that contains the owner's id; 0 if the thread waits for no known lock.
static uintptr_t owner_word(const char *call) {
  unsigned long number, address, operation, value;
  if (sscanf(call, "%lu %lx %lx %lx", &number, &address, &operation, &value) != 4) return 0;
  if (number != SYS_futex) return 0;
  unsigned long command = operation & (unsigned long)command_bits;
  if (command == FUTEX_LOCK_PI || command == 13) return address;  // FUTEX_LOCK_PI2 of Linux 5.14
#ifdef __GLIBC__
  if (knows_mutexes && command == FUTEX_WAIT && (uint32_t)value == is_contended) {
    return address + offsetof(pthread_mutex_t, __data.__owner) - offsetof(pthread_mutex_t, __data.__lock);
  }
#endif
  return 0;
}

uint32_t ms_lock_owner(uint32_t waiter) {
  char before[MS_CALL_TEXT], after[MS_CALL_TEXT];
  if (!ms_thread_call(waiter, before)) return 0;
  word_read read = {.address = owner_word(before)};
  if (read.address == 0 || read.address % sizeof read.word != 0 || !ms_is_readable(read.address)) return 0;
  if (!ms_if_possible(read_word, &read)) return 0;
  uint32_t owner = read.word & FUTEX_TID_MASK;
  // If the waiter still waits, the word belonged to its lock when it was read.
  bool still_waits = ms_thread_call(waiter, after) && strcmp(before, after) == 0;
  return still_waits && owner && ms_thread_status_of(owner, ms_asking_signal).exists ? owner : 0;
}

// Interposes locks, and waits that use locks. A free lock costs one attempt, and no clock read.

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

#if MS_STANDS_IN_FRONT

static void lock_took(const char *name, const ms_call *call, const void *caller) {
  ms_call_took(name, MS_WAITS_FOR_ONE, call->begin, call->end, MS_SLICES_OF_A_LOCK, caller);
}

/// Tries the lock first: a thread that gets the lock at once has not waited.
#define MS_LOCKS(name, try_name, type) \
  MS_IN_FRONT int name(type *lock) { \
    MS_REAL(name); \
    if (!ms_is_asked()) __attribute__((musttail)) return real(lock); \
    int tried = try_name(lock); \
    if (__builtin_expect(tried != EBUSY, 1)) return tried; \
    ms_call call = ms_call_begins(#name, MS_WAITS_FOR_ONE, caller); \
    int value = real(lock); \
    if (ms_call_was_long(&call)) lock_took(#name, &call, caller); \
    return value; \
  }

MS_LOCKS(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
MS_LOCKS(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
MS_LOCKS(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)

MS_MEASURED(int, pthread_mutex_timedlock, MS_WAITS_FOR_ONE, (pthread_mutex_t * lock, const struct timespec *until),
            (lock, until))
MS_MEASURED(int, pthread_mutex_clocklock, MS_WAITS_FOR_ONE,
            (pthread_mutex_t * lock, clockid_t clock, const struct timespec *until), (lock, clock, until))
MS_MEASURED(int, pthread_cond_wait, MS_WAITS_FOR_ONE, (pthread_cond_t * condition, pthread_mutex_t *lock),
            (condition, lock))
MS_MEASURED(int, pthread_cond_timedwait, MS_WAITS_FOR_ONE,
            (pthread_cond_t * condition, pthread_mutex_t *lock, const struct timespec *until),
            (condition, lock, until))
MS_MEASURED(int, pthread_cond_clockwait, MS_WAITS_FOR_ONE,
            (pthread_cond_t * condition, pthread_mutex_t *lock, clockid_t clock, const struct timespec *until),
            (condition, lock, clock, until))
MS_MEASURED(int, pthread_join, MS_WAITS_FOR_ONE, (pthread_t thread, void **value_of), (thread, value_of))
MS_MEASURED(int, sem_timedwait, MS_WAITS_FOR_ONE, (sem_t * semaphore, const struct timespec *until),
            (semaphore, until))
MS_MEASURED(int, sem_clockwait, MS_WAITS_FOR_ONE,
            (sem_t * semaphore, clockid_t clock, const struct timespec *until), (semaphore, clock, until))

MS_IN_FRONT int sem_wait(sem_t *semaphore) {
  MS_REAL(sem_wait);
  if (!ms_is_asked()) __attribute__((musttail)) return real(semaphore);
  int before = errno;
  if (sem_trywait(semaphore) == 0) return 0;
  errno = before;
  ms_call call = ms_call_begins("sem_wait", MS_WAITS_FOR_ONE, caller);
  int value = real(semaphore);
  if (ms_call_was_long(&call)) ms_call_took("sem_wait", MS_WAITS_FOR_ONE, call.begin, call.end, 1, caller);
  return value;
}

/// True if a system call waits for a futex. Swift's `Mutex` and Dispatch's synchronous calls wait by the system call
/// itself.
static bool waits(long number, long operation) {
  if (number != SYS_futex) return false;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
      return true;
    default:
      return false;
  }
}

static bool is_lock(long operation) {
  long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

/// Passes six arguments for every system call, so that all other system calls pass without a frame of ours.
MS_IN_FRONT long ms_syscall(long number, long a, long b, long c, long d, long e, long f) __asm__("syscall");
MS_IN_FRONT long ms_syscall(long number, long a, long b, long c, long d, long e, long f) {
  MS_REAL(syscall);
  __typeof__(&ms_syscall) go_on = (__typeof__(&ms_syscall))real;
  if (!waits(number, b) || !ms_is_asked()) __attribute__((musttail)) return go_on(number, a, b, c, d, e, f);
  ms_call call = ms_call_begins("futex", MS_WAITS_FOR_ONE, caller);
  long value = go_on(number, a, b, c, d, e, f);
  if (ms_call_was_long(&call)) {
    ms_call_took("futex", MS_WAITS_FOR_ONE, call.begin, call.end, is_lock(b) ? MS_SLICES_OF_A_LOCK : 1, caller);
  }
  return value;
}

#endif

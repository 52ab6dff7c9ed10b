// What the files that stand in front of the C library share.
#ifndef MAINSTAY_CALLS_H
#define MAINSTAY_CALLS_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "CBlockingCalls.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// The sanitizers stand there themselves.
#define MS_STANDS_IN_FRONT 0
#else
#define MS_STANDS_IN_FRONT 1
#endif

// Weak: what the program defines itself under the same name stays its own.
#define MS_IN_FRONT __attribute__((visibility("default"), weak))

/// Whether waiting for events is all that a call does: it is no finding where a loop does so.
typedef enum { MS_WAITS_FOR_ONE, MS_WAITS_FOR_EVENTS } ms_call_kind;

extern _Atomic uint64_t ms_blocking_threshold;  // UINT64_MAX: nobody asks

static inline uint64_t ms_call_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// Judges a call that took too long. `caller` is where it returns to, in the program. Keeps errno.
void ms_call_took(const char *call, ms_call_kind kind, uint64_t nanoseconds, const void *caller);

/// When a call begins; 0 where nobody asks.
static inline uint64_t ms_call_begins(void) {
  uint64_t threshold = atomic_load_explicit(&ms_blocking_threshold, memory_order_relaxed);
  return threshold == UINT64_MAX ? 0 : ms_call_time();
}

/// As `ms_call_ends`, for a lock: whoever has it may have been kept from the processor for some slices of its time,
/// which is nobody's fault.
__attribute__((always_inline)) static inline void ms_lock_ends(const char *call, uint64_t begin,
                                                               const void *caller) {
  if (begin == 0) return;
  enum { slices = 4 };
  uint64_t took = ms_call_time() - begin;
  uint64_t threshold = atomic_load_explicit(&ms_blocking_threshold, memory_order_relaxed);
  if (took / slices >= threshold) ms_call_took(call, MS_WAITS_FOR_ONE, took, caller);
}

static inline bool ms_call_was_long(uint64_t begin) {
  return ms_call_time() - begin >= atomic_load_explicit(&ms_blocking_threshold, memory_order_relaxed);
}

__attribute__((always_inline)) static inline void ms_call_ends(const char *call, ms_call_kind kind,
                                                               uint64_t begin, const void *caller) {
  if (begin == 0) return;
  uint64_t took = ms_call_time() - begin;
  if (took >= atomic_load_explicit(&ms_blocking_threshold, memory_order_relaxed)) {
    ms_call_took(call, kind, took, caller);
  }
}

/// The function that ours stands in front of. Asked for at its first call: a constructor of somebody else's
/// may call before any of ours has run.
static inline void *ms_real(_Atomic(void *) *known, const char *name) {
  void *real = atomic_load_explicit(known, memory_order_acquire);
  if (real != NULL) return real;
  int before = errno;
  real = dlsym(RTLD_NEXT, name);
  errno = before;
  atomic_store_explicit(known, real, memory_order_release);
  return real;
}

#define MS_REAL(name) \
  const void *caller = __builtin_return_address(0); \
  static _Atomic(void *) known_##name; \
  __typeof__(&name) real = (__typeof__(&name))ms_real(&known_##name, #name)

/// A function that does what the real one does, and is measured. `shape` is its parameters, `given` their names.
/// Where nobody asks, it leaves no frame.
#define MS_MEASURED(result, name, kind, shape, given) \
  MS_IN_FRONT result name shape { \
    MS_REAL(name); \
    uint64_t begin = ms_call_begins(); \
    if (begin == 0) __attribute__((musttail)) return real given; \
    result value = real given; \
    ms_call_ends(#name, kind, begin, caller); \
    return value; \
  }

#endif

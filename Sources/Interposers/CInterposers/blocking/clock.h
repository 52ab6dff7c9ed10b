// The time before and after a call. Most calls end at once, and to ask the kernel's clock twice costs more than some.
#ifndef MAINSTAY_CALL_CLOCK_H
#define MAINSTAY_CALL_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// How many ticks the processor's own counter has in a second; 0 if the kernel does not trust it, or it was
/// found to be wrong.
extern _Atomic uint64_t ms_counter_rate __attribute__((visibility("hidden")));

/// The time that does not go back, in nanoseconds.
static inline uint64_t ms_call_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static inline uint64_t ms_counter(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return 0;
#endif
}

/// The lowest bit says which clock it was.
static inline uint64_t ms_ticks(void) {
  bool counts = atomic_load_explicit(&ms_counter_rate, memory_order_relaxed) != 0;
  return counts ? ms_counter() | 1 : ms_call_time() & ~UINT64_C(1);
}

/// Finds out what the counter is good for. Not signal-safe: it reads a file.
void ms_clock_start(void);

/// So many ticks of the clock in use; never more than there are in that time.
uint64_t ms_ticks_in(uint64_t nanoseconds);

/// The nanoseconds from one time to the other; 0 if they are not of one clock, or it was wrong: from then on
/// the kernel's is asked. Signal safety: safe.
uint64_t ms_ticks_between(uint64_t begin, uint64_t end);

#endif

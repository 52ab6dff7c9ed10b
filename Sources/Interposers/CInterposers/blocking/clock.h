// Measures the time before and after a call. Most calls end at once, and two reads of the kernel's clock cost more
// than some calls.
#ifndef MAINSTAY_CALL_CLOCK_H
#define MAINSTAY_CALL_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// The rate of the processor's counter in ticks per second; 0 if the kernel does not trust the counter, or the
/// counter was found to be wrong.
extern _Atomic uint64_t ms_counter_rate __attribute__((visibility("hidden")));

/// The monotonic time in nanoseconds.
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

/// The current time in ticks. The lowest bit identifies the clock: 1 for the processor's counter.
static inline uint64_t ms_ticks(void) {
  bool counts = atomic_load_explicit(&ms_counter_rate, memory_order_relaxed) != 0;
  return counts ? ms_counter() | 1 : ms_call_time() & ~UINT64_C(1);
}

/// Measures the counter's rate, if the kernel trusts the counter. Not signal-safe: reads a file.
void ms_clock_start(void);

/// Converts a duration to ticks of the clock in use. The result may be slightly too small, but never too large.
uint64_t ms_ticks_in(uint64_t nanoseconds);

/// The nanoseconds between two times; 0 if the times are from different clocks or the counter was wrong, after which
/// the kernel's clock is used. Signal safety: safe.
uint64_t ms_ticks_between(uint64_t begin, uint64_t end);

#endif

// What the benchmarks need from C: a clock, the floor, threads' cores, and libunwind as it is.
#ifndef BENCHMARK_CPEERS_H
#define BENCHMARK_CPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/// Whether the kernel itself keeps time by the processor's counter.
extern bool bench_counter_is_trusted;

/// Finds out whether the counter is trusted. Call it once, before anything else.
void bench_start(void);

static inline uint64_t bench_clock_nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t bench_monotonic(void) { return bench_clock_nanoseconds(CLOCK_MONOTONIC); }

/// What this thread alone has spent.
static inline uint64_t bench_thread_time(void) {
  return bench_clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

/// One reading of the clock that a recorder would use: the counter where it is trusted.
static inline uint64_t bench_ticks(void) {
#if defined(__x86_64__)
  if (__builtin_expect(bench_counter_is_trusted, 1)) return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
  return bench_monotonic();
}

/// Stops the compiler from moving or merging calls across this point.
static inline void bench_fence(void) { __asm__ volatile("" ::: "memory"); }

/// The floor of any recorder: one reading of the clock and 64 bytes, published by a release store.
static inline void bench_floor(uint8_t *region, size_t mask, size_t index, uint64_t value) {
  uint64_t *line = (uint64_t *)(region + ((index * 64) & mask));
  uint64_t now = bench_ticks();
  line[1] = now;
  for (int word = 2; word < 8; word++) line[word] = value;
  __atomic_store_n(&line[0], index + 1, __ATOMIC_RELEASE);
}

/// Work that touches nothing but registers, a few instructions at a time.
static inline void bench_registers(void) {
  uint64_t words[6] = {0};
  for (int i = 0; i < 16; i++) {
    for (int word = 0; word < 6; word++) __asm__ volatile("" : "+r"(words[word]));
    for (int word = 0; word < 6; word++) words[word] += 3;
  }
  for (int word = 0; word < 6; word++) __asm__ volatile("" : : "r"(words[word]));
}

/// A file of `size` bytes, mapped shared and touched; NULL with `errno` where that fails.
uint8_t *bench_map(const char *path, size_t size);

/// Keeps the calling thread on one core; false where the system does not let it.
bool bench_pin(int thread);

/// How many frames libunwind finds from here; its first `capacity` go to `frames`.
int bench_unw_backtrace(void **frames, int capacity);

/// A line through stdio, buffered as the C library does it.
void *bench_stdio_open(const char *path);
void bench_stdio_write(void *file, const char *line, size_t length);
void bench_stdio_close(void *file);

#endif

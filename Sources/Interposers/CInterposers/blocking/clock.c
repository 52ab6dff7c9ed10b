#include "clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { second = 1000000000, learning_ns = 200000, tries = 8, near_ns = 2000, slack_ns = 1000000 };
enum { tolerance = 500, of_a_moment = 50 };  // divisors of the elapsed time

_Atomic uint64_t ms_counter_rate;

/// A reading of both clocks, with which later readings must agree.
static struct {
  uint64_t counter, time;
  uint64_t suspended;
} base;

/// True if the kernel uses this counter as its clock, which requires that the counter is the same on all processors
/// and never stops.
static bool is_trusted_by_kernel(void) {
#if defined(__x86_64__)
  char name[8] = "";
  int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = read(file, name, sizeof name - 1);
  close(file);
  return size > 0 && strcmp(name, "tsc\n") == 0;
#else
  return ms_counter() != 0;
#endif
}

/// Reads both clocks at one moment; returns false if interruptions prevented that.
static bool read_both(uint64_t *counter, uint64_t *time) {
  for (int i = 0; i < tries; i++) {
    uint64_t before = ms_call_time();
    *counter = ms_counter();
    uint64_t after = ms_call_time();
    *time = before + (after - before) / 2;
    if (after - before < near_ns) return true;
  }
  return false;
}

/// The time for which the machine has been suspended since its start, in nanoseconds: the difference of
/// CLOCK_BOOTTIME and CLOCK_MONOTONIC. Returns `known` if the clocks could not be read together.
static uint64_t suspended(uint64_t known) {
  for (int i = 0; i < tries; i++) {
    struct timespec boot;
    uint64_t before = ms_call_time();
    clock_gettime(CLOCK_BOOTTIME, &boot);
    if (ms_call_time() - before < near_ns) return (uint64_t)boot.tv_sec * second + (uint64_t)boot.tv_nsec - before;
  }
  return known;
}

static uint64_t nanoseconds_of(uint64_t ticks, uint64_t rate) {
  return (uint64_t)((unsigned __int128)ticks * second / rate);
}

void ms_clock_start(void) {
  uint64_t counter, time;
  if (atomic_load(&ms_counter_rate) != 0 || base.time != 0) return;
  if (!is_trusted_by_kernel() || !read_both(&base.counter, &base.time)) return;
  base.suspended = suspended(0);
  while (ms_call_time() < base.time + learning_ns) continue;
  if (!read_both(&counter, &time) || counter <= base.counter) return;
  atomic_store(&ms_counter_rate,
               (uint64_t)((unsigned __int128)(counter - base.counter) * second / (time - base.time)));
}

uint64_t ms_ticks_in(uint64_t nanoseconds) {
  uint64_t rate = atomic_load(&ms_counter_rate);
  if (rate == 0) return nanoseconds;
  unsigned __int128 ticks = (unsigned __int128)nanoseconds * rate / second;
  ticks -= ticks / tolerance;
  return ticks < UINT64_MAX - 1 ? (uint64_t)ticks : UINT64_MAX - 1;
}

/// Corrects a rate. The first rate comes from a short measurement and may be wrong by two percent; it is then
/// replaced by the rate since the first reading. Returns 0 if the error is larger: a machine that was suspended or
/// migrated may have another counter.
static uint64_t corrected(uint64_t rate) {
  uint64_t counter, time;
  if (!read_both(&counter, &time) || time <= base.time) return rate;
  uint64_t counted = nanoseconds_of(counter - base.counter, rate), passed = time - base.time;
  uint64_t apart = counted > passed ? counted - passed : passed - counted;
  if (apart <= passed / tolerance + slack_ns) return rate;
  if (apart > passed / of_a_moment + slack_ns) return 0;
  return (uint64_t)((unsigned __int128)(counter - base.counter) * second / passed);
}

uint64_t ms_ticks_between(uint64_t begin, uint64_t end) {
  if ((begin ^ end) & 1 || end < begin) return 0;
  if (!(begin & 1)) return end - begin;
  uint64_t rate = atomic_load(&ms_counter_rate);
  if (rate == 0) return 0;
  // During a suspension the counter may run on, or restart.
  bool was_suspended = suspended(base.suspended) > base.suspended + slack_ns;
  uint64_t right = was_suspended ? 0 : corrected(rate);
  if (right != rate) atomic_store(&ms_counter_rate, right);
  return right == 0 ? 0 : nanoseconds_of(end - begin, right);
}

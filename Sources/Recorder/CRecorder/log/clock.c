// Relates the log's clock to monotonic and wall time.

#include <fcntl.h>
#include <unistd.h>

#include "log_internal.h"

/// Returns true if the kernel itself uses the processor's counter as its clock source.
bool ms_counter_is_trusted(void) {
#if defined(__x86_64__)
  int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char name[8] = {0};
  ssize_t got = read(file, name, sizeof name - 1);
  close(file);
  return got >= 4 && memcmp(name, "tsc\n", 4) == 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}

/// Returns the interval between anchors in ticks: about a second.
uint64_t ms_counter_anchor_interval(bool counter_clock) {
  if (!counter_clock) return UINT64_C(1000000000);
#if defined(__aarch64__)
  uint64_t frequency;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return frequency;
#else
  return UINT64_C(1) << 31;
#endif
}

/// Reads all clocks at one instant. Takes the narrowest of three attempts, because the thread may be interrupted
/// between two reads.
ms_anchor ms_anchor_now(const ms_log *log) {
  ms_anchor anchor = {0};
  uint64_t narrowest = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    uint64_t before = ms_ticks(log);
    uint64_t monotonic = ms_clock_ns(CLOCK_MONOTONIC);
    uint64_t wall = ms_clock_ns(CLOCK_REALTIME);
    uint64_t between = ms_ticks(log) - before;
    if (between >= narrowest) continue;
    narrowest = between;
    anchor.ticks = before + between / 2;
    anchor.monotonic_ns = monotonic;
    anchor.wall_ns = wall;
  }
  anchor.sum = ms_anchor_sum(&anchor, log->salt);
  return anchor;
}

/// Writes a new anchor if the last one is old. Only the thread that updates `anchored_at` writes the anchor. Ticks
/// slightly before it are from another processor or from a crumb that began earlier; ticks far before it are from a
/// counter that was reset, as after hibernation or in a restored process.
void ms_anchor_refresh(ms_log *log, uint64_t ticks) {
  uint64_t last = atomic_load_explicit(&log->anchored_at, memory_order_relaxed);
  if (last - ticks <= log->anchor_every) return;
  if (!atomic_compare_exchange_strong_explicit(&log->anchored_at, &last, ticks,
                                               memory_order_relaxed, memory_order_relaxed)) {
    return;
  }
  uint32_t slot = atomic_fetch_add_explicit(&log->anchor_next, 1, memory_order_relaxed);
  log->header->progress.anchors[slot % MS_ANCHORS] = ms_anchor_now(log);
}

/// Returns the newest anchor. An anchor that is being written fails its checksum.
ms_anchor ms_anchor_latest(const ms_log *log) {
  uint32_t next = atomic_load_explicit(&log->anchor_next, memory_order_relaxed);
  if (next == 0) return log->header->identity.opened;
  return log->header->progress.anchors[(next - 1) % MS_ANCHORS];
}

uint64_t ms_log_now(const ms_log *log) { return ms_ticks(log); }

uint64_t ms_learn_tick_length(ms_log *log) {
  const ms_anchor *before = &log->before_open;
  uint64_t ticks = ms_ticks(log) - before->ticks;
  uint64_t passed = ms_clock_ns(CLOCK_MONOTONIC) - before->monotonic_ns;
  uint64_t length = ticks == 0 ? 0 : (uint64_t)(((__uint128_t)passed << 32) / ticks);
  if (passed > 100000000) {
    atomic_store_explicit(&log->tick_length, length, memory_order_relaxed);
  }
  return length;
}

uint32_t ms_tick_length(ms_log *log) {
  uint64_t length = log->counter_clock ? ms_length_of_tick(log) >> 8 : UINT64_C(1) << 24;
  return length > UINT32_MAX ? 0 : (uint32_t)length;
}

uint64_t ms_log_nanoseconds_between(ms_log *log, uint64_t then, uint64_t now) {
  return ms_nanoseconds_between(log, then, now);
}

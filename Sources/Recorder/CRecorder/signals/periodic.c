#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ms_periodic.h"
#include "ms_thread.h"

static void (*_Atomic joined)(void);
static void (*_Atomic alone)(void);
static _Atomic int lookers;

void ms_periodic_join(void (*look)(void), void (*left_alone)(void)) {
  atomic_store(&alone, left_alone);
  atomic_store(&joined, look);
}

bool ms_periodic_runs(void) { return atomic_load(&lookers) > 0; }

void ms_periodic_begin(void) { atomic_fetch_add(&lookers, 1); }

void ms_periodic_run(void) {
  void (*look)(void) = atomic_load(&joined);
  if (look) look();
}

void ms_periodic_end(void) {
  if (atomic_fetch_sub(&lookers, 1) > 1) return;
  void (*left)(void) = atomic_load(&alone);
  if (left) left();
}

// --- Detecting that the process was stopped
//
// The kernel does not report a stop to the process. But a stop wakes the checking thread, which then sleeps twice more:
// during the stop, and for the rest of its wait. The checking thread's count of voluntary context switches shows the
// stop, also to a thread that runs before the checking thread does. The freezer of cgroups v1 and a suspended machine
// leave threads in their wait; such a stop shows as a late end of the wait.

enum { kept_stops = 8, switches_of_a_wait = 1, late_ns = 500000000 };

/// The current wait of the checking thread.
static struct {
  _Atomic uint64_t began;  // 0: the thread does not wait
  _Atomic uint64_t due;
  _Atomic uint64_t switches;
  _Atomic uint32_t thread;
} waiting;

/// The last waits that were interrupted by a stop.
static struct {
  _Atomic uint64_t from, to;
} stops[kept_stops];
static _Atomic uint32_t stop_count;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t own_switches(void) {
  struct rusage used;
  return getrusage(RUSAGE_THREAD, &used) == 0 ? (uint64_t)used.ru_nvcsw : 0;
}

/// Returns the voluntary context switches of another thread; 0 if they cannot be read.
static uint64_t switches_of(uint32_t thread) {
  static const char field[] = "\nvoluntary_ctxt_switches:";
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%u/status", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  const char *count = strstr(text, field);
  return count ? strtoull(count + sizeof field - 1, NULL, 10) : 0;
}

ms_periodic_wait ms_periodic_wait_begin(uint64_t nanoseconds) {
  uint64_t time = now();
  ms_periodic_wait wait = {time, time + nanoseconds, own_switches()};
  atomic_store(&waiting.thread, ms_thread_id_anew());
  atomic_store(&waiting.due, wait.due);
  atomic_store(&waiting.switches, wait.switches);
  atomic_store(&waiting.began, wait.began);
  return wait;
}

bool ms_periodic_wait_end(ms_periodic_wait wait) {
  bool was_stopped = own_switches() > wait.switches + switches_of_a_wait || now() > wait.due + late_ns;
  if (was_stopped) {
    uint32_t place = atomic_load(&stop_count) % kept_stops;
    atomic_store(&stops[place].from, wait.began);
    atomic_store(&stops[place].to, now());
    atomic_fetch_add(&stop_count, 1);
  }
  atomic_store(&waiting.began, 0);
  return was_stopped;
}

static uint64_t overlap(uint64_t from, uint64_t to, uint64_t since) {
  if (from < since) from = since;
  return to > from ? to - from : 0;
}

/// Returns true if the wait that began at `began` still continues and was interrupted by a stop.
static bool is_interrupted(uint64_t began) {
  if (began == 0) return false;
  uint64_t most = atomic_load(&waiting.switches) + switches_of_a_wait;
  bool is_late = now() > atomic_load(&waiting.due) + late_ns;
  return (is_late || switches_of(atomic_load(&waiting.thread)) > most) && atomic_load(&waiting.began) == began;
}

uint64_t ms_periodic_stopped(uint64_t since) {
  int before = errno;
  uint64_t stopped = 0, began = atomic_load(&waiting.began);
  bool waits_on = is_interrupted(began);
  if (waits_on) stopped = overlap(began, now(), since);
  for (int i = 0; i < kept_stops; i++) {
    uint64_t from = atomic_load(&stops[i].from);
    if (!waits_on || from != began) stopped += overlap(from, atomic_load(&stops[i].to), since);
  }
  errno = before;
  return stopped;
}

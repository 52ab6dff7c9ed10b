// Classifies why threads do not finish: blocked in a call, running, or waiting for a processor.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "thread_list.h"
#include "watched_executors.h"

enum { most_threads = 512 };

typedef struct {
  uint32_t thread;
  uint64_t ran, waited;  // nanoseconds on a processor, and waiting for a processor
  uint64_t sleeps;       // number of voluntary context switches
  char state;            // the kernel's letter for the state
} thread_times;

static thread_times noted[most_threads];
static uint32_t noted_count;
static uint64_t noted_at;

static bool read_file(const char *path, char *text, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = read(file, text, room - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  return size > 0;
}

static bool read_times(uint32_t thread, thread_times *times) {
  char path[64], text[4096];
  unsigned long long ran, waited, sleeps;
  snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", thread);
  if (!read_file(path, text, sizeof text) || sscanf(text, "%llu %llu", &ran, &waited) != 2) return false;
  snprintf(path, sizeof path, "/proc/self/task/%u/status", thread);
  if (!read_file(path, text, sizeof text)) return false;
  const char *state = strstr(text, "\nState:\t"), *count = strstr(text, "\nvoluntary_ctxt_switches:");
  if (!state || !count || sscanf(count, "\nvoluntary_ctxt_switches: %llu", &sleeps) != 1) return false;
  *times = (thread_times){thread, ran, waited, sleeps, state[sizeof "\nState:\t" - 1]};
  return true;
}

void ms_thread_times_note(uint64_t now) {
  static uint32_t threads[most_threads];
  uint32_t count = 0;
  ms_list_threads(threads, most_threads, &count);
  noted_count = 0;
  for (uint32_t i = 0; i < count; i++) noted_count += read_times(threads[i], &noted[noted_count]);
  noted_at = now;
}

uint64_t ms_thread_times_noted(void) { return noted_at; }

static const thread_times *noted_of(uint32_t thread) {
  for (uint32_t i = 0; i < noted_count; i++) {
    if (noted[i].thread == thread) return &noted[i];
  }
  return NULL;
}

ms_doing ms_thread_doing(uint32_t thread, uint64_t now) {
  thread_times times;
  const thread_times *before = noted_of(thread);
  uint64_t span = now - noted_at;
  if (!before || span < 1000000 || !read_times(thread, &times)) return MS_DOES_UNKNOWN;
  uint64_t ran = times.ran - before->ran, waited = times.waited - before->waited;
  // The kernel counts a wait for a processor when the wait ends. A thread that did not sleep has waited whenever it
  // did not run.
  bool never_slept = times.sleeps == before->sleeps && times.state == 'R';
  if (never_slept && ran < span) waited = span - ran;
  if (ran + waited < span / 2) return MS_DOES_BLOCKED;
  return ran >= waited ? MS_DOES_BUSY : MS_DOES_STARVED;
}

bool ms_thread_has_slept(uint32_t thread) {
  thread_times times;
  const thread_times *before = noted_of(thread);
  if (!before || !read_times(thread, &times)) return false;
  return times.sleeps == before->sleeps && times.state != 'R' && before->state != 'R';
}

uint64_t ms_thread_ran_awake(uint32_t thread, ms_thread_mark *since) {
  thread_times times;
  if (!read_times(thread, &times)) return 0;
  if (since->thread != thread || since->sleeps != times.sleeps || times.state != 'R') {
    *since = (ms_thread_mark){thread, times.ran, times.sleeps};
  }
  return times.ran - since->ran;
}

bool ms_thread_sleeps(uint32_t thread, uint64_t *sleeps) {
  thread_times times;
  bool is_known = read_times(thread, &times);
  if (is_known) *sleeps = times.sleeps;
  return is_known;
}

int ms_processor_pressure(void) {
  char text[256];
  if (!read_file("/proc/pressure/cpu", text, sizeof text)) return -1;
  const char *average = strstr(text, "avg10=");
  return average ? (int)strtod(average + 6, NULL) : -1;
}

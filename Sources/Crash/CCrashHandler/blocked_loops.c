// Finds event loops that block, by their threads. Nothing is asked of a loop.
//
// SwiftNIO names the threads of its loops. Such a thread sleeps in one call only, the one that waits for events. In any
// other call that lasts, its connections wait. A loop that computes is not found, because a loop with much work looks the same.
//
// A look reads one small file of each loop's thread. The list of threads is read every two seconds, while the process
// works.

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "CRecorder.h"
#include "crash.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { most_loops = 64, most_threads = 512 };

static const uint64_t between_lists_ns = 2000000000;

typedef struct {
  uint32_t thread;
  bool is_listed;
  bool hangs;
  bool was_asked;         // for its stack, by a signal: the kernel began its call again
  uint64_t sleeps;        // how often the thread had slept when it was first seen in its call
  uint64_t blocked;       // for how long it has been seen there; 0: it waits for events, or runs
  uint64_t hanging_since;  // in ticks
  char call[MS_CALL_TEXT];
  char name[16];
} loop_memory;

static loop_memory loops[most_loops];
static uint32_t loop_count;
static uint64_t list_age = between_lists_ns;

static const char *const prefixes[] = {"NIO-ELT-", "NIO-SGLTN-"};

static bool is_loop(const char *name) {
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  }
  return false;
}

static loop_memory *loop_of(uint32_t thread) {
  for (uint32_t i = 0; i < loop_count; i++) {
    if (loops[i].thread == thread) return &loops[i];
  }
  return NULL;
}

/// Adds new loops. A loop whose thread is gone stays until the end of its hang is recorded.
static void list_loops(void) {
  static uint32_t threads[most_threads];
  uint32_t count = 0;
  ms_list_threads(threads, most_threads, &count);
  for (uint32_t i = 0; i < loop_count; i++) loops[i].is_listed = false;
  for (uint32_t i = 0; i < count; i++) {
    loop_memory *known = loop_of(threads[i]);
    if (known) {
      known->is_listed = true;
      continue;
    }
    ms_thread_status status = ms_thread_status_of(threads[i], ms_asking_signal);
    if (!status.exists || !is_loop(status.name) || loop_count == most_loops) continue;
    loop_memory *loop = &loops[loop_count++];
    *loop = (loop_memory){.thread = threads[i], .is_listed = true};
    memcpy(loop->name, status.name, sizeof loop->name);
  }
  for (uint32_t i = 0; i < loop_count;) {
    if (loops[i].is_listed || loops[i].hangs) {
      i++;
    } else {
      loops[i] = loops[--loop_count];
    }
  }
}

uint32_t ms_loops_count(uint64_t passed, bool is_active) {
  list_age += passed;
  if (is_active && list_age >= between_lists_ns) {
    list_age = 0;
    list_loops();
  }
  return loop_count;
}

bool ms_loops_are_suspect(void) {
  for (uint32_t i = 0; i < loop_count; i++) {
    if (loops[i].blocked) return true;
  }
  return false;
}

uint64_t ms_loops_hang_since(void) {
  uint64_t since = 0;
  for (uint32_t i = 0; i < loop_count; i++) {
    if (loops[i].hangs && (since == 0 || loops[i].hanging_since < since)) since = loops[i].hanging_since;
  }
  return since;
}

static bool waits_for_events(const char *call) {
  static const long calls[] = {
#ifdef SYS_epoll_wait
      SYS_epoll_wait, SYS_poll, SYS_select,
#endif
      SYS_epoll_pwait, SYS_epoll_pwait2, SYS_ppoll, SYS_pselect6, SYS_io_uring_enter};
  long number;
  if (sscanf(call, "%ld", &number) != 1) return true;  // it runs
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (calls[i] == number) return true;
  }
  return false;
}

/// Whether the thread is in the call in which it was seen before, and has not slept in another one since.
static bool is_in_one_call(loop_memory *loop, uint64_t passed) {
  char call[MS_CALL_TEXT];
  uint64_t sleeps;
  if (!ms_thread_call(loop->thread, call) || waits_for_events(call) ||
      !ms_thread_sleeps(loop->thread, &sleeps)) {
    loop->blocked = 0;
    return false;
  }
  bool has_not_slept_since = sleeps == loop->sleeps || loop->was_asked;
  loop->was_asked = false;
  if (loop->blocked && has_not_slept_since && strcmp(call, loop->call) == 0) {
    loop->sleeps = sleeps;
    loop->blocked += passed;
    return true;
  }
  memcpy(loop->call, call, sizeof call);
  loop->sleeps = sleeps;
  loop->blocked = 1;
  return false;
}

ms_loop_change ms_loop_look(uint32_t index, uint64_t passed, uint64_t threshold, uint64_t now_ticks,
                            ms_loop_facts *facts) {
  loop_memory *loop = &loops[index];
  uint64_t before = loop->blocked;
  bool is_in = is_in_one_call(loop, passed);
  facts->thread = loop->thread;
  facts->name = loop->name;
  facts->blocked = is_in ? loop->blocked : before + passed;
  if (loop->hangs && !is_in) {
    loop->hangs = false;
    return MS_LOOP_ANSWERS;
  }
  if (loop->hangs || !is_in || loop->blocked < threshold) return MS_LOOP_SAME;
  loop->hangs = loop->was_asked = true;
  loop->hanging_since = now_ticks;
  return MS_LOOP_BLOCKS;
}

void ms_loops_forget(void) {
  loop_count = 0;
  list_age = between_lists_ns;
}

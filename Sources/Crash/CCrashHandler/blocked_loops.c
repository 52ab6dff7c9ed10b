// Finds blocked event loops by the system calls of their threads, without sending work to the loops.
//
// SwiftNIO names the threads of its loops, but a thread inherits the name of its creator. A thread with such a name
// counts as a loop once it has been seen waiting for events. While a loop stays in any other system call, its
// connections wait. A computing loop is not reported, because a loop with much work looks the same.
//
// A check reads the system call of each loop, and its context switches unless it waits for events. While the process
// is active, threads are listed every two seconds, or less often if a listing takes long.

#include <string.h>
#include <time.h>

#include "CRecorder.h"
#include "crash.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { most_loops = 64, most_threads = 512 };

// `pause_per_cost` limits listings to half a percent of a processor, however many threads exist.
static const uint64_t between_lists_ns = 2000000000, pause_per_cost = 200;

typedef struct {
  uint32_t thread;  // 0: the thread no longer has the name of a loop
  bool is_listed;
  bool has_waited;         // the loop has been seen waiting for events
  bool hangs;              // a hang is recorded and has not ended
  bool was_asked;          // a sampling signal may have restarted the system call
  uint64_t sleeps;         // voluntary context switches when the thread was last seen in the call
  uint64_t blocked;        // nanoseconds observed in the call; 0: waiting for events, or running
  uint64_t hanging_since;  // start of the recorded hang, in ticks
  char call[MS_CALL_TEXT];
  char name[16];
} loop_memory;

static loop_memory loops[most_loops];
static uint32_t loop_count;
static uint64_t list_age, list_pause;

static loop_memory *loop_of(uint32_t thread) {
  for (uint32_t i = 0; i < loop_count; i++) {
    if (loops[i].thread == thread) return &loops[i];
  }
  return NULL;
}

static bool is_named_as_loop(uint32_t thread, char name[16]) {
  return ms_thread_name_of(thread, name) && ms_loop_threads_have(name);
}

/// Adds new loops, and removes loops whose threads have ended. A loop with a recorded hang stays until the end of the
/// hang is recorded.
static void list_loops(void) {
  static uint32_t threads[most_threads];
  uint32_t count = 0;
  ms_list_threads(threads, most_threads, &count);
  for (uint32_t i = 0; i < loop_count; i++) loops[i].is_listed = false;
  for (uint32_t i = 0; i < count; i++) {
    loop_memory *known = loop_of(threads[i]);
    char name[16];
    if (known) {
      known->is_listed = true;
    } else if (loop_count < most_loops && is_named_as_loop(threads[i], name)) {
      loop_memory *loop = &loops[loop_count++];
      *loop = (loop_memory){.thread = threads[i], .is_listed = true};
      memcpy(loop->name, name, sizeof loop->name);
    }
  }
  for (uint32_t i = 0; i < loop_count;) {
    if (loops[i].is_listed || loops[i].hangs) {
      i++;
    } else {
      loops[i] = loops[--loop_count];
    }
  }
}

/// The processor time of this thread. On a busy machine even a short listing takes long by the wall clock.
static uint64_t processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint32_t ms_loops_count(uint64_t passed, bool is_active) {
  list_age += passed;
  if (is_active && list_age >= list_pause) {
    uint64_t begin = processor_time();
    list_loops();
    list_age = 0;
    list_pause = between_lists_ns + pause_per_cost * (processor_time() - begin);
  }
  return loop_count;
}

uint64_t ms_loops_blocked(void) {
  uint64_t longest = 0;
  for (uint32_t i = 0; i < loop_count; i++) {
    if (!loops[i].hangs && loops[i].blocked > longest) longest = loops[i].blocked;
  }
  return longest;
}

uint64_t ms_loops_hang_since(void) {
  uint64_t since = 0;
  for (uint32_t i = 0; i < loop_count; i++) {
    if (loops[i].hangs && (since == 0 || loops[i].hanging_since < since)) since = loops[i].hanging_since;
  }
  return since;
}

/// True if the thread is still in the system call of the last check, and has not slept in another call since.
static bool is_in_one_call(loop_memory *loop, const char *call, uint64_t passed) {
  uint64_t sleeps;
  long number;
  bool is_in_call = ms_call_number(call, &number);
  bool waits = is_in_call && ms_call_waits_for_events(number);
  if (waits) loop->has_waited = true;
  if (!is_in_call || waits || !loop->has_waited || !ms_thread_sleeps(loop->thread, &sleeps)) {
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
  memcpy(loop->call, call, sizeof loop->call);
  loop->sleeps = sleeps;
  loop->blocked = 1;
  return false;
}

ms_loop_change ms_loop_look(uint32_t index, uint64_t passed, uint64_t threshold, ms_loop_facts *facts) {
  loop_memory *loop = &loops[index];
  uint64_t before = loop->blocked;
  char call[MS_CALL_TEXT], name[16];
  bool is_there = ms_thread_call(loop->thread, call);
  bool is_in = is_there && is_in_one_call(loop, call, passed);
  *facts = (ms_loop_facts){loop->thread, loop->name, is_in ? loop->blocked : before + passed};
  if (!is_there) loop->blocked = 0;
  if (loop->hangs && !is_in) {
    loop->hangs = false;
    return is_there ? MS_LOOP_ANSWERS : MS_LOOP_GONE;
  }
  if (loop->hangs || !is_in || loop->blocked < threshold) return MS_LOOP_SAME;
  if (is_named_as_loop(loop->thread, name)) return MS_LOOP_BLOCKS;
  loop->thread = 0;
  loop->blocked = 0;
  return MS_LOOP_SAME;
}

void ms_loop_hangs(uint32_t index, uint64_t now_ticks) {
  loops[index].hangs = true;
  loops[index].hanging_since = now_ticks;
}

void ms_loops_were_asked(void) {
  for (uint32_t i = 0; i < loop_count; i++) loops[i].was_asked = true;
}

bool ms_loops_end_hang(ms_loop_facts *facts) {
  for (uint32_t i = 0; i < loop_count; i++) {
    if (!loops[i].hangs) continue;
    loops[i].hangs = false;
    *facts = (ms_loop_facts){loops[i].thread, loops[i].name, loops[i].blocked};
    return true;
  }
  return false;
}

void ms_loops_forget(void) {
  loop_count = 0;
  list_age = list_pause = 0;
}

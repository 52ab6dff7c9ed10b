#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "../../../../../Sources/Recorder/CRecorder/include/ms_walk_memory.h"
#include "CWalkPeers.h"

enum { most_frames = 256 };
static _Thread_local uintptr_t found[most_frames];
static _Thread_local uintptr_t stack_end;
static _Thread_local ms_walk_memory memory;

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void learn_stack_end(void) {
  pthread_attr_t attributes;
  void *start;
  size_t size;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &start, &size);
  stack_end = (uintptr_t)start + size;
  pthread_attr_destroy(&attributes);
}

__attribute__((noinline, aligned(64))) static uint32_t walk_frame_pointers(uintptr_t *frames,
                                                              uint32_t capacity) {
  const uintptr_t *frame = __builtin_frame_address(0);
  uintptr_t last = stack_end - 16;
  uint32_t count = 0;
  while (count < capacity) {
    frames[count++] = frame[1];
    const uintptr_t *next = (const uintptr_t *)frame[0];
    if (next <= frame || (uintptr_t)next > last) break;
    frame = next;
  }
  return count;
}

__attribute__((noinline)) static uint32_t walk_by_steps(uintptr_t *frames, uint32_t capacity) {
  unw_context_t context;
  unw_cursor_t cursor;
  uint32_t count = 0;
  unw_getcontext(&context);
  unw_init_local(&cursor, &context);
  while (count < capacity && unw_step(&cursor) > 0) {
    unw_word_t address;
    unw_get_reg(&cursor, UNW_REG_IP, &address);
    frames[count++] = address;
  }
  return count;
}

uint32_t bench_walk(bench_walker walker, uint32_t capacity) {
  ms_walk_end end;
  switch (walker) {
    case BENCH_WALK_OURS: return ms_walk_here(found, capacity, 0, &end);
    case BENCH_WALK_OURS_AGAIN:
      return ms_walk_remembering(&memory, 0, found, capacity, 0)->count;
    case BENCH_WALK_FRAME_POINTERS: return walk_frame_pointers(found, capacity);
    case BENCH_WALK_UNW_BACKTRACE: return (uint32_t)unw_backtrace((void **)found, (int)capacity);
    case BENCH_WALK_BACKTRACE: return (uint32_t)backtrace((void **)found, (int)capacity);
    case BENCH_WALK_UNW_STEP: return walk_by_steps(found, capacity);
    case BENCH_WALK_NONE: break;
  }
  return 0;
}

double bench_walk_mean(bench_walker walker, uint32_t capacity, uint32_t calls) {
  ms_walk_end end;
  learn_stack_end();
  for (uint32_t call = 0; call < calls / 20 + 2; call++) bench_walk(walker, capacity);
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  // Those that are compared most are called directly, each in a loop of its own.
  if (walker == BENCH_WALK_OURS) {
    for (uint32_t call = 0; call < calls; call++) ms_walk_here(found, capacity, 0, &end);
  } else if (walker == BENCH_WALK_OURS_AGAIN) {
    for (uint32_t call = 0; call < calls; call++) {
      ms_walk_remembering(&memory, 0, found, capacity, 0);
    }
  } else if (walker == BENCH_WALK_FRAME_POINTERS) {
    for (uint32_t call = 0; call < calls; call++) walk_frame_pointers(found, capacity);
  } else {
    for (uint32_t call = 0; call < calls; call++) bench_walk(walker, capacity);
  }
  return (double)(now(CLOCK_THREAD_CPUTIME_ID) - start) / calls;
}

static void walk_once(void *walker) { bench_walk(*(bench_walker *)walker, 16); }

double bench_walk_random(bench_walker walker, bool frame_pointers, uint32_t functions,
                         uint32_t calls) {
  learn_stack_end();
  for (uint32_t call = 0; call < functions; call++) {
    bench_descend_at_random(frame_pointers, functions, walk_once, &walker);
  }
  uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
  for (uint32_t call = 0; call < calls; call++) {
    bench_descend_at_random(frame_pointers, functions, walk_once, &walker);
  }
  return (double)(now(CLOCK_THREAD_CPUTIME_ID) - start) / calls;
}

typedef struct {
  bench_walker walker;
  uint32_t capacity;
  double nanoseconds;
  pthread_barrier_t *walked, *measured;
} thread_walk;

static void time_walk(void *argument) {
  thread_walk *walk = argument;
  uint64_t start = now(CLOCK_MONOTONIC);
  bench_walk(walk->walker, walk->capacity);
  walk->nanoseconds = (double)(now(CLOCK_MONOTONIC) - start);
}

static void *time_on_thread(void *argument) {
  learn_stack_end();
  now(CLOCK_MONOTONIC);
  bench_descend(true, 12, time_walk, argument);
  return NULL;
}

double bench_walk_first_on_thread(bench_walker walker, uint32_t capacity) {
  thread_walk walk = {.walker = walker, .capacity = capacity};
  pthread_t thread;
  if (pthread_create(&thread, NULL, time_on_thread, &walk) != 0) return 0;
  pthread_join(thread, NULL);
  return walk.nanoseconds;
}

static double private_bytes(void) {
  char line[256];
  long kilobytes = 0, value;
  FILE *summary = fopen("/proc/self/smaps_rollup", "re");
  if (summary == NULL) return 0;
  while (fgets(line, sizeof line, summary) != NULL) {
    if (sscanf(line, "Private_Dirty: %ld", &value) == 1) kilobytes = value;
  }
  fclose(summary);
  return (double)kilobytes * 1024;
}

// What every thread touches, walking or not, so that it is not counted.
__attribute__((noinline)) static void touch_stack(void) {
  char room[16384];
  memset(room, 1, sizeof room);
  memset(found, 1, sizeof found);
  __asm__ volatile("" : : "r"(room) : "memory");
}

static void *walk_and_wait(void *argument) {
  thread_walk *walk = argument;
  touch_stack();
  bench_walk(walk->walker, 16);
  pthread_barrier_wait(walk->walked);
  pthread_barrier_wait(walk->measured);
  return NULL;
}

double bench_walk_memory(bench_walker walker, uint32_t threads) {
  enum { most_threads = 512 };
  pthread_t made[most_threads];
  pthread_barrier_t walked, measured;
  thread_walk walk = {.walker = walker, .walked = &walked, .measured = &measured};
  pthread_barrier_init(&walked, NULL, threads + 1);
  pthread_barrier_init(&measured, NULL, threads + 1);
  double before = private_bytes();
  for (uint32_t index = 0; index < threads; index++) {
    pthread_create(&made[index], NULL, walk_and_wait, &walk);
  }
  pthread_barrier_wait(&walked);
  double after = private_bytes();
  pthread_barrier_wait(&measured);
  for (uint32_t index = 0; index < threads; index++) pthread_join(made[index], NULL);
  pthread_barrier_destroy(&walked);
  pthread_barrier_destroy(&measured);
  return (after - before) / threads;
}

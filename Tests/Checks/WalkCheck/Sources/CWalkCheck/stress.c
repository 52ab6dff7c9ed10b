#include "CWalkCheck.h"

#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "CRecorder.h"
#include "../../../../../Sources/Recorder/CRecorder/walk/registers.h"
#include "interrupted.h"

// The stepper uses no table, so it is right whatever happens to the table meanwhile.
enum { walkers = 4, most_frames = 200, deepest = 60 };

static _Atomic bool stopping;
static _Atomic uint64_t walks, frames_compared, walks_in_handlers, wrong;
static _Atomic pid_t thread_ids[walkers];

static uint32_t step_from(const ucontext_t *context, uintptr_t *frames) {
  ms_registers registers;
  ms_registers_from_context(context, &registers);
  ms_stack stack = ms_stack_around(registers.value[ms_sp]);
  uint32_t count = 0;
  do {
    frames[count++] = registers.value[ms_pc];
  } while (count < most_frames && ms_step(&registers, &stack) == MS_STEPPED);
  return count;
}

__attribute__((noinline)) static void compare_with_stepper(_Atomic uint64_t *counter) {
  uintptr_t ours[most_frames], expected[most_frames];
  ucontext_t context;
  ms_walk_end end;
  getcontext(&context);
  uint32_t expected_count = step_from(&context, expected);
  uint32_t count = ms_walk_here(ours, most_frames, 0, &end);
  bool equal = count == expected_count
      && memcmp(ours + 1, expected + 1, (count - 1) * sizeof *ours) == 0;
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&frames_compared, count, memory_order_relaxed);
  if (!equal) atomic_fetch_add(&wrong, 1);
}

static void compare_in_handler(int number, siginfo_t *info, void *context) {
  (void)number, (void)info, (void)context;
  compare_with_stepper(&walks_in_handlers);
}

static uint32_t branch(uint64_t *seed, uint32_t depth);

#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

__attribute__((noinline)) static uint32_t plain(uint64_t *seed, uint32_t depth) {
  return branch(seed, depth) + 1;
}
__attribute__((noinline)) static uint32_t with_room(uint64_t *seed, uint32_t depth) {
  char room[3000];
  KEEP(room);
  uint32_t result = branch(seed, depth) + 1;
  KEEP(room);
  return result;
}
__attribute__((noinline)) static uint32_t with_alloca(uint64_t *seed, uint32_t depth) {
  char *room = alloca(16 + *seed % 500);
  KEEP(room);
  uint32_t result = branch(seed, depth) + 1;
  KEEP(room);
  return result;
}
__attribute__((noinline)) static uint32_t realigned(uint64_t *seed, uint32_t depth) {
  _Alignas(128) char room[128];
  KEEP(room);
  uint32_t result = branch(seed, depth) + 1;
  KEEP(room);
  return result;
}
static int order(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}
static _Thread_local uint64_t *sorting_seed;
static _Thread_local uint32_t sorting_depth;
static int order_deeply(const void *left, const void *right) {
  uint32_t depth = sorting_depth;
  branch(sorting_seed, depth);
  return order(left, right);
}
__attribute__((noinline)) static uint32_t through_qsort(uint64_t *seed, uint32_t depth) {
  int numbers[2] = {2, 1};
  sorting_seed = seed;
  sorting_depth = depth;
  qsort(numbers, 2, sizeof *numbers, order_deeply);
  return 1;
}

static uint32_t branch(uint64_t *seed, uint32_t depth) {
  static uint32_t (*const ways[])(uint64_t *, uint32_t) = {plain, with_room, with_alloca,
                                                           realigned, through_qsort};
  *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  if (depth >= deepest || *seed >> 60 == 0) {
    compare_with_stepper(&walks);
    return 0;
  }
  return ways[(*seed >> 33) % 5](seed, depth + 1);
}

static void *walk_trees(void *argument) {
  uintptr_t index = (uintptr_t)argument;
  uint64_t seed = index + 1;
  // Half of the threads take their signals on a stack of their own.
  if (index % 2 == 0) ms_install(SIGUSR1, compare_in_handler, SA_RESTART);
  ms_unblock(SIGUSR1);
  thread_ids[index] = (pid_t)syscall(SYS_gettid);
  while (!stopping) branch(&seed, 0);
  return NULL;
}

static void *empty_table(void *nothing) {
  struct timespec pause = {0, 300000};
  while (!stopping) {
    ms_walk_forget_rules();
    nanosleep(&pause, NULL);
  }
  return nothing;
}

bool ms_check_stress(uint32_t seconds) {
  pthread_t threads[walkers], emptier;
  struct sigaction before = ms_install(SIGUSR1, compare_in_handler, SA_RESTART);
  struct timespec pause = {0, 30000};
  for (uintptr_t index = 0; index < walkers; index++) {
    pthread_create(&threads[index], NULL, walk_trees, (void *)index);
  }
  pthread_create(&emptier, NULL, empty_table, NULL);
  uint32_t turn = 0;
  for (time_t end = time(NULL) + seconds; time(NULL) < end; turn++) {
    pid_t thread = thread_ids[turn % walkers];
    if (thread != 0) syscall(SYS_tgkill, getpid(), thread, SIGUSR1);
    nanosleep(&pause, NULL);
  }
  stopping = true;
  for (uint32_t index = 0; index < walkers; index++) pthread_join(threads[index], NULL);
  pthread_join(emptier, NULL);
  sigaction(SIGUSR1, &before, NULL);
  printf("stress: %lu walks and %lu in handlers, %lu frames, while the table was emptied; %lu "
         "wrong\n", walks, walks_in_handlers, frames_compared, wrong);
  return wrong == 0 && walks > 0 && walks_in_handlers > 0;
}

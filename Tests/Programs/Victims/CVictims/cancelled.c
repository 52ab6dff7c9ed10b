// Threads that are to be cancelled when they crash: they die all the same.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "CVictims.h"

static volatile int sink;
static volatile int zero;

static pthread_barrier_t both;

static void *crash_to_be_cancelled(void *context) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_barrier_wait(&both);
  pthread_barrier_wait(&both);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  sink = *(volatile int *)(uintptr_t)zero;
  return context;
}

static _Atomic int crashing;

static void *crash_cancellable_anywhere(void *context) {
  atomic_store(&crashing, gettid());
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sink = *(volatile int *)(uintptr_t)zero;
  return context;
}

/// The process must not come to this.
static void live_on(pthread_t thread) {
  void *result;
  pthread_join(thread, &result);
  printf("the crash was swallowed%s\n", result == PTHREAD_CANCELED ? " by the cancellation" : "");
  fflush(stdout);
  _exit(3);
}

void die_cancelled(void) {
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, crash_to_be_cancelled, NULL);
  pthread_barrier_wait(&both);
  pthread_cancel(thread);
  pthread_barrier_wait(&both);
  live_on(thread);
}

/// Whether a thread is in a handler that nobody may cancel.
static bool blocks_cancelling(int thread) {
  enum { cancelling = 32 };
  char path[64], line[256];
  unsigned long long blocked = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
  FILE *status = fopen(path, "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "SigBlk: %llx", &blocked);
  if (status) fclose(status);
  return blocked >> (cancelling - 1) & 1;
}

static void wait_until_it_crashes(void) {
  while (!atomic_load(&crashing) || !blocks_cancelling(atomic_load(&crashing))) sched_yield();
}

void die_cancelled_meanwhile(void) {
  pthread_t thread;
  start_silent_thread();  // for which the handler waits
  pthread_create(&thread, NULL, crash_cancellable_anywhere, NULL);
  if (has_crash_handler()) wait_until_it_crashes();
  else pthread_join(thread, NULL);
  pthread_cancel(thread);
  live_on(thread);
}

// Processes that have little left of what the kernel gives them.

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "CVictims.h"

enum { most_files = 256 };

static volatile int sink;
static volatile int zero;

static void use_up_descriptors(void) {
  struct rlimit few = {most_files, most_files};
  setrlimit(RLIMIT_NOFILE, &few);
  while (dup(STDERR_FILENO) >= 0) continue;
}

void die_without_descriptors(void) {
  start_waiting_threads(6);
  use_up_descriptors();
  sink = *(volatile int *)(uintptr_t)zero;
}

void die_after_closing_descriptors(void) {
  start_waiting_threads(6);
  for (int file = 3; file < most_files; file++) close(file);
  use_up_descriptors();
  sink = *(volatile int *)(uintptr_t)zero;
}

static int count_maps(void) {
  FILE *file = fopen("/proc/self/maps", "re");
  int lines = 0, character;
  while (file && (character = getc(file)) != EOF) lines += character == '\n';
  if (file) fclose(file);
  return lines;
}

enum { thread_count = 256 };

typedef struct {
  pthread_t thread;
  uintptr_t handled_at;
} covered_thread;

static pthread_barrier_t meeting;
static _Thread_local covered_thread *self __attribute__((tls_model("initial-exec")));

static void note_stack(int signal) {
  (void)signal;
  self->handled_at = (uintptr_t)__builtin_frame_address(0);
}

static void *handle_and_wait(void *context) {
  self = context;
  raise(SIGUSR1);
  pthread_barrier_wait(&meeting);  // all are there
  pthread_barrier_wait(&meeting);  // and may go
  return NULL;
}

static int compare(const void *a, const void *b) {
  const covered_thread *left = a, *right = b;
  return (left->handled_at > right->handled_at) - (left->handled_at < right->handled_at);
}

/// The C library's own stack and its guard are two.
static void expect(int holds, const char *what, int count) {
  if (holds) return;
  printf("%s: %d\n", what, count);
  fflush(stdout);
  _exit(1);
}

void count_maps_of_threads(void) {
  static covered_thread threads[thread_count];
  struct sigaction action = {.sa_handler = note_stack, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  pthread_barrier_init(&meeting, NULL, thread_count + 1);
  int before = count_maps();
  for (int i = 0; i < thread_count; i++) {
    if (pthread_create(&threads[i].thread, NULL, handle_and_wait, &threads[i]) != 0) abort();
  }
  pthread_barrier_wait(&meeting);
  int maps = count_maps() - before;
  expect(maps < thread_count * 9 / 4, "maps that 256 threads take", maps);
  pthread_barrier_wait(&meeting);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i].thread, NULL);
  qsort(threads, thread_count, sizeof *threads, compare);
  for (int i = 1; i < thread_count; i++) {
    uintptr_t apart = threads[i].handled_at - threads[i - 1].handled_at;
    expect(apart >= 65536, "bytes between two threads' alternate stacks", (int)apart);
  }
}

// A crash while the main thread is in a wait that no signal restarts, and then exits.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "CVictims.h"

enum { long_seconds = 30 };  // a test that waits for its whole length has failed
static volatile int sink;

static void wait_by_pause(void) { pause(); }
static void wait_by_sleep(void) { sleep(long_seconds); }
static void wait_by_poll(void) { poll(NULL, 0, long_seconds * 1000); }
static void wait_by_select(void) { select(0, NULL, NULL, NULL, &(struct timeval){long_seconds, 0}); }

static void wait_by_sigsuspend(void) {
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
}

static void wait_by_sigwaitinfo(void) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &only, NULL);
  sigwaitinfo(&only, NULL);
}

static const struct {
  const char *name;
  void (*wait)(void);
} waits[] = {
    {"pause", wait_by_pause},   {"sleep", wait_by_sleep},           {"poll", wait_by_poll},
    {"select", wait_by_select}, {"sigsuspend", wait_by_sigsuspend}, {"sigwaitinfo", wait_by_sigwaitinfo},
};

static bool main_thread_sleeps(void) {
  char name[64], line[256] = "";
  snprintf(name, sizeof name, "/proc/self/task/%d/stat", getpid());
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (read(file, line, sizeof line - 1) < 0) abort();
  close(file);
  const char *state = strrchr(line, ')');
  return state && state[2] == 'S';
}

static void *fault_once_main_sleeps(void *unused) {
  while (!main_thread_sleeps()) usleep(100);
  sink = *(volatile int *)(uintptr_t)(sink & 0);
  return unused;
}

static void tell_exit(void) { (void)!write(STDOUT_FILENO, "exits\n", 6); }

void exit_after_interrupted_wait(const char *name, int at_once) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fault_once_main_sleeps, NULL) != 0) abort();
  for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++) {
    if (strcmp(waits[i].name, name) == 0) waits[i].wait();
  }
  if (at_once) _exit(0);
  tell_exit();
  exit(0);
}

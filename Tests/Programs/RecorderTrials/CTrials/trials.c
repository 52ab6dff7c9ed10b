#define _GNU_SOURCE
#include "CTrials.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

void ms_trial_unbuffer(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

pid_t ms_trial_fork(void) { return fork(); }

pid_t ms_trial_clone(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

// --- Signals

static volatile sig_atomic_t handled;
static struct sigaction before[NSIG];
static int hows[NSIG];

static void write_line(const char *what, int signal) {
  char line[64];
  int size = snprintf(line, sizeof line, "%s %d\n", what, signal);
  (void)!write(STDOUT_FILENO, line, (size_t)size);
}

static void hand_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *found = &before[signal];
  if (!(hows[signal] & MS_TRIAL_CHAINED)) return;
  if (found->sa_flags & SA_SIGINFO) found->sa_sigaction(signal, info, context);
  else if (found->sa_handler != SIG_DFL && found->sa_handler != SIG_IGN) found->sa_handler(signal);
}

static void plain(int signal) {
  handled++;
  write_line("handled", signal);
  hand_on(signal, NULL, NULL);
}

static void with_info(int signal, siginfo_t *info, void *context) {
  handled++;
  write_line(info->si_pid == getpid() || info->si_pid == getppid() ? "handled from kin" : "handled",
             signal);
  hand_on(signal, info, context);
}

void ms_trial_handle(int signal, int how) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  hows[signal] = how;
  if (how & (MS_TRIAL_SIGINFO | MS_TRIAL_CHAINED)) {
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = with_info;
  } else {
    action.sa_handler = plain;
  }
  if (how & MS_TRIAL_ONCE) action.sa_flags |= SA_RESETHAND;
  sigaction(signal, &action, &before[signal]);
}

int ms_trial_handled(void) { return handled; }

void ms_trial_block(int signal) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_BLOCK, &only, NULL);
}

static bool take_one(const char *way, const sigset_t *only, int file) {
  int signal = 0;
  struct timespec long_time = {3600, 0};
  struct signalfd_siginfo info;
  if (strcmp(way, "sigwait") == 0) return sigwait(only, &signal) == 0;
  if (strcmp(way, "sigwaitinfo") == 0) return sigwaitinfo(only, NULL) > 0;
  if (strcmp(way, "sigtimedwait") == 0) return sigtimedwait(only, NULL, &long_time) > 0;
  return read(file, &info, sizeof info) == sizeof info;
}

void ms_trial_wait(int signal, const char *way) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  int file = signalfd(-1, &only, SFD_CLOEXEC);
  for (;;) {
    if (take_one(way, &only, file)) printf("fired\n");
  }
}

// --- SIGBUS

static volatile char *beyond_end(void) {
  char name[] = "/tmp/mainstay-bus-XXXXXX";
  int file = mkstemp(name);
  unlink(name);
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory;
}

void ms_trial_bus_error(void) { *beyond_end() = 1; }

static sigjmp_buf past_the_fault;

static void go_on(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  siglongjmp(past_the_fault, 1);
}

void ms_trial_handle_bus(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = go_on;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, NULL);
}

int ms_trial_survive_bus_error(void) {
  if (sigsetjmp(past_the_fault, 1) != 0) return 1;
  *beyond_end() = 1;
  return 0;
}

// --- Threads

static pthread_key_t key;

static void run_body(void *body) { ((void (*)(void))body)(); }

static void *record_and_leave(void *body) {
  run_body(body);
  pthread_setspecific(key, body);
  return NULL;
}

void ms_trial_in_thread_destructor(void (*body)(void)) {
  pthread_t thread;
  pthread_key_create(&key, run_body);
  pthread_create(&thread, NULL, record_and_leave, (void *)body);
  pthread_join(thread, NULL);
  pthread_key_delete(key);
}

static pthread_barrier_t all_recorded;

static void *run_once(void *body) {
  run_body(body);
  pthread_barrier_wait(&all_recorded);  // so that all of them hold what they took
  return NULL;
}

int ms_trial_threads(int rounds, int at_once, void (*body)(void)) {
  pthread_t threads[1024];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_barrier_init(&all_recorded, NULL, (unsigned)at_once);
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < at_once; i++) {
      if (pthread_create(&threads[i], &small, run_once, (void *)body) != 0) abort();
    }
    for (int i = 0; i < at_once; i++) pthread_join(threads[i], NULL);
  }
  pthread_barrier_destroy(&all_recorded);
  pthread_attr_destroy(&small);
  return rounds * at_once;
}

void ms_trial_call(void *function, void (*body)(void)) {
  ((void (*)(void (*)(void)))function)(body);
}

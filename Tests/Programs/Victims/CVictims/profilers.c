// Profilers, whose signal the hang watch borrows for its question.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "CVictims.h"

static volatile sig_atomic_t ticks, later_ticks, is_done;

static void tick(int signal) {
  (void)signal;
  ticks++;
}

static void later_tick(int signal) {
  (void)signal;
  later_ticks++;
}

static struct sigaction now(void) {
  struct sigaction found;
  sigaction(SIGPROF, NULL, &found);
  return found;
}

static struct sigaction install(void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
  sigaction(SIGPROF, &action, &before);
  return before;
}

/// Until the signal is borrowed; or has been, for a thread that got no turn in between.
static void wait_while(void (*handler)(int), void *log) {
  while (now().sa_handler == handler && !is_hang_recorded(log)) continue;
}

/// The signal has been given back by the time the hang is recorded.
static void wait_for_return(void *log) {
  while (!is_hang_recorded(log)) usleep(1000);
}

static void expect(int holds, const char *what) {
  if (holds) return;
  printf("%s\n", what);
  fflush(stdout);
  _exit(1);
}

/// A thread that does not answer keeps the signal lent for as long as there is patience for it.
void hang_without_answer(void) {
  block_questions();
  while (!is_done) usleep(200000);
}

static void *profile_from_hang_on(void *log) {
  wait_while(SIG_DFL, log);
  install(tick);
  struct itimerval often = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &often, NULL);
  while (ticks < 100) continue;
  expect(now().sa_handler == tick, "the profiler's handler was replaced");
  is_done = 1;
  return NULL;
}

static void *profile_through_hang(void *log) {
  install(tick);
  wait_while(tick, log);
  int before = ticks;
  pthread_kill(pthread_self(), SIGPROF);
  int after = ticks;
  expect(after == before + 1, "a tick was kept from the profiler");
  wait_for_return(log);
  expect(now().sa_handler == tick, "the profiler's handler was not put back");
  is_done = 1;
  return NULL;
}

/// The later one puts back what it replaced, which was ours.
static void *profile_twice(void *log) {
  install(tick);
  wait_while(tick, log);
  struct sigaction before = install(later_tick);
  wait_for_return(log);
  pthread_kill(pthread_self(), SIGPROF);
  expect(later_ticks == 1 && ticks == 0, "the later profiler lost its signal");
  sigaction(SIGPROF, &before, NULL);
  pthread_kill(pthread_self(), SIGPROF);
  // Where the main thread got no processor at first, the watch asks again, perhaps before what is put back: then it
  // gives back what it found, the later one's.
  expect(ticks + later_ticks == 2, "the earlier profiler lost its signal");
  is_done = 1;
  return NULL;
}

static void start(void *(*profiler)(void *), void *log) {
  pthread_t thread;
  pthread_create(&thread, NULL, profiler, log);
  pthread_detach(thread);
}

void start_profiler_of_hang(void *log) { start(profile_from_hang_on, log); }
void start_profiler_before_hang(void *log) { start(profile_through_hang, log); }
void start_two_profilers(void *log) { start(profile_twice, log); }

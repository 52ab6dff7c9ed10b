// Ends that look like others: crashes while exiting, handlers that exit, faults that are survived.

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CVictims.h"

static volatile int sink;
static volatile sig_atomic_t dies_in_destructor, dies_in_early_exit;
static void (*crumb)(void);

static void fault(void) { sink = *(volatile int *)(uintptr_t)(sink & 0); }

static void leave_crumbs(int count) {
  for (int i = 0; i < count; i++) crumb();
}

static void end_by_kill(void) { kill(getpid(), SIGKILL); }

static void on_thread(void *(*body)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
}

// --- Crashes while exiting

static void exit_early(void) {
  if (dies_in_early_exit) fault();
}

// Registered before anything of ours is, so it runs after it.
__attribute__((constructor)) static void register_early(void) { atexit(exit_early); }

__attribute__((destructor)) static void destroy(void) {
  if (dies_in_destructor) fault();
}

static void die_in_destructor(void) {
  dies_in_destructor = 1;
  exit(0);
}

static void die_in_early_exit(void) {
  dies_in_early_exit = 1;
  exit(0);
}

static void die_in_late_exit(void) {
  atexit(fault);
  exit(0);
}

static void *fault_on_thread(void *unused) {
  (void)unused;
  fault();
  return NULL;
}

static void wait_for_crash(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fault_on_thread, NULL);
  for (;;) pause();
}

__attribute__((constructor)) static void register_waiting(void);
static volatile sig_atomic_t waits_in_exit;
static void wait_if_asked(void) {
  if (waits_in_exit) wait_for_crash();
}
static void register_waiting(void) { atexit(wait_if_asked); }

static void die_elsewhere_in_exit(void) {
  waits_in_exit = 1;
  exit(0);
}

// --- What a handler does

static void handler_exits(int signal) { (void)signal, exit(1); }
static void handler_leaves(int signal) { (void)signal, _exit(1); }

static void handler_raises(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
}

/// With a flag that means nothing there, as Go's runtime does.
static void act_by_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_SIGINFO};
  sigaction(number, &action, NULL);
}

static void handler_tells_and_leaves(int signal) {
  (void)signal;
  leave_crumbs(3);
  _exit(1);
}

static void handler_faults(int signal) { (void)signal, fault(); }

static void handler_aborts(int signal) { (void)signal, abort(); }

static _Thread_local sigjmp_buf back;
static void handler_jumps(int signal) { (void)signal, siglongjmp(back, 1); }

static void handler_tells_and_jumps(int signal) {
  (void)signal;
  leave_crumbs(3);
  siglongjmp(back, 1);
}

static volatile sig_atomic_t is_handled;
static void handler_waits(int signal) {
  (void)signal;
  is_handled = 1;
  for (;;) pause();
}

// --- Faults that are survived

static void survive(int faults) {
  for (volatile int i = 0; i < faults; i++) {
    if (sigsetjmp(back, 1) == 0) fault();
  }
}

static void survive_then_be_killed(void) {
  survive(1);
  leave_crumbs(20);
  end_by_kill();
}

/// Its crumbs are left by frames that lie below the handler's, which ran on this stack.
__attribute__((noinline)) static void survive_then_be_killed_deeper(void) {
  enum { deeper = 64 << 10 };
  survive(1);
  char used[deeper];
  __asm__ volatile("" ::"r"(used) : "memory");
  leave_crumbs(1);
  end_by_kill();
}

static void survive_then_leave(void) {
  survive(1);
  leave_crumbs(1);
  _exit(0);
}

static void survive_quietly_then_leave(void) {
  survive(1);
  _exit(0);
}

static void survive_then_exit(void) {
  survive(1);
  exit(0);
}

static void survive_then_crash(void) {
  survive(3);
  leave_crumbs(3);
  abort();
}

static void *survive_quietly(void *unused) {
  (void)unused;
  survive(1);
  return NULL;
}

static void survive_elsewhere_then_be_killed(void) {
  on_thread(survive_quietly);
  end_by_kill();
}

static void survive_elsewhere_then_exit(void) {
  on_thread(survive_quietly);
  exit(0);
}

static void *survive_often(void *unused) {
  (void)unused;
  survive(500);
  leave_crumbs(1);
  return NULL;
}

static void survive_often_then_be_killed(void) {
  pthread_t threads[12];
  for (int i = 0; i < 12; i++) pthread_create(&threads[i], NULL, survive_often, NULL);
  for (int i = 0; i < 12; i++) pthread_join(threads[i], NULL);
  end_by_kill();
}

static void exit_while_one_is_handled(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fault_on_thread, NULL);
  while (!is_handled) sched_yield();
  exit(0);
}

// --- By name

typedef struct {
  const char *name;
  void (*end)(void);
  void (*handler)(int);
  int reports;  // whether it has SIGABRT too, as those that report crashes do
} ending;

static const ending endings[] = {
    {"crash-in-destructor", die_in_destructor, NULL, 0},
    {"crash-after-exit-noted", die_in_early_exit, NULL, 0},
    {"crash-before-exit-noted", die_in_late_exit, NULL, 0},
    {"crash-elsewhere-in-exit", die_elsewhere_in_exit, NULL, 0},
    {"destructor-crash-handler-leaves", die_in_destructor, handler_leaves, 0},
    {"handler-exits", fault, handler_exits, 0},
    {"reporting-handler-exits", fault, handler_exits, 1},
    {"handler-leaves", fault, handler_leaves, 0},
    {"reporting-handler-leaves", fault, handler_leaves, 1},
    {"handler-raises", fault, handler_raises, 0},
    {"reporting-handler-raises", fault, handler_raises, 1},
    {"handler-gives-up", fault, act_by_default, 0},
    {"default-with-siginfo", fault, NULL, 0},
    {"handler-tells-and-leaves", fault, handler_tells_and_leaves, 0},
    {"handler-aborts", fault, handler_aborts, 0},
    {"reporting-handler-faults", fault, handler_faults, 1},
    {"survived-then-killed", survive_then_be_killed, handler_jumps, 0},
    {"survived-deeper-then-killed", survive_then_be_killed_deeper, handler_jumps, 0},
    {"survived-then-leaves", survive_then_leave, handler_jumps, 0},
    {"survived-quietly-then-leaves", survive_quietly_then_leave, handler_jumps, 0},
    {"survived-told-then-killed", survive_then_be_killed, handler_tells_and_jumps, 0},
    {"survived-report-then-killed", survive_then_be_killed, handler_jumps, 1},
    {"survived-then-exits", survive_then_exit, handler_jumps, 0},
    {"survived-report-then-exits", survive_then_exit, handler_jumps, 1},
    {"survived-then-aborts", survive_then_crash, handler_jumps, 0},
    {"survived-quietly-then-killed", survive_elsewhere_then_be_killed, handler_jumps, 0},
    {"survived-quietly-then-exits", survive_elsewhere_then_exit, handler_jumps, 0},
    {"survived-often-then-killed", survive_often_then_be_killed, handler_jumps, 0},
    {"exits-while-handled", exit_while_one_is_handled, handler_waits, 0},
};
enum { ending_count = sizeof endings / sizeof *endings };

static const ending *ending_named(const char *name) {
  for (int i = 0; i < ending_count; i++) {
    if (strcmp(endings[i].name, name) == 0) return &endings[i];
  }
  return NULL;
}

const char *name_of_ending(int index) { return index < ending_count ? endings[index].name : NULL; }

void prepare_ending(const char *name, void (*leave_crumb)(void)) {
  const ending *chosen = ending_named(name);
  crumb = leave_crumb;
  if (strcmp(name, "default-with-siginfo") == 0) act_by_default(SIGSEGV);
  if (chosen == NULL || chosen->handler == NULL) return;
  struct sigaction action = {.sa_handler = chosen->handler};
  sigaction(SIGSEGV, &action, NULL);
  if (chosen->reports) sigaction(SIGABRT, &action, NULL);
}

void end_as_named(const char *name) { ending_named(name)->end(); }

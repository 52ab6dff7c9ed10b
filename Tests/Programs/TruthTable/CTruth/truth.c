#define _GNU_SOURCE
#include "CTruth.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern void dispatch_assert_queue(void *queue);
extern void dispatch_async_and_wait_f(void *queue, void *context, void (*work)(void *));

// A row may have been started by a thread that blocks signals, as Dispatch's workers do.
__attribute__((constructor)) static void unblock_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, NULL);
}

#if defined(__x86_64__)
enum { trap_signal = SIGILL };
#else
enum { trap_signal = SIGTRAP };
#endif

// The child is a bare clone: it keeps libdispatch's words as they are. (With SIGCHLD at its end: qemu starts no other.) Another thread may have held
// malloc's lock at that moment, which a failing assertion needs; such a child is asked anew.
bool truth_assertion_passes(void *queue) {
  for (;;) {
    long child = syscall(SYS_clone, (unsigned long)SIGCHLD, 0UL, 0UL, 0UL, 0UL);
    if (child == 0) {
      struct sigaction standard = {.sa_handler = SIG_DFL};
      sigaction(trap_signal, &standard, NULL);
      sigaction(SIGALRM, &standard, NULL);
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, NULL);
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
      alarm(2);
      dispatch_assert_queue(queue);
      syscall(SYS_exit_group, 0);
    }
    int status = 0;
    while (waitpid((pid_t)child, &status, 0) < 0) {
      if (errno != EINTR) abort();
    }
    if (WIFEXITED(status)) return true;
    if (WTERMSIG(status) == trap_signal) return false;
  }
}

int truth_fork(void) { return fork(); }

typedef struct {
  void (*body)(void *);
  void *context;
} call;

static void *run_call(void *argument) {
  call *c = argument;
  c->body(c->context);
  return NULL;
}

void truth_run_thread(void (*body)(void *), void *context) {
  call c = {body, context};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_call, &c) != 0) abort();
  pthread_join(thread, NULL);
}

void truth_async_and_wait(void *queue, void *context, void (*body)(void *)) {
  dispatch_async_and_wait_f(queue, context, body);
}

static void run_at_end(void *argument) {
  run_call(argument);
  free(argument);
}

void truth_at_thread_end(void (*body)(void *), void *context) {
  call *c = malloc(sizeof *c);
  *c = (call){body, context};
  pthread_key_t key;
  pthread_key_create(&key, run_at_end);
  pthread_setspecific(key, c);
}

static void (*handler_body)(void);

static void handle(int signal) {
  (void)signal;
  handler_body();
}

static void prepare(int signal, void (*body)(void)) {
  handler_body = body;
  struct sigaction action = {.sa_handler = handle};
  sigaction(signal, &action, NULL);
}

// Dispatch's workers block signals, so the one in question is let through.
void truth_raise(int signal, void (*body)(void)) {
  prepare(signal, body);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(signal);
}

void truth_signal_main_thread(int signal, void (*body)(void)) {
  prepare(signal, body);
  syscall(SYS_tgkill, getpid(), getpid(), signal);
}

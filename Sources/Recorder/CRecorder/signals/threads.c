// Starts threads that keep out of the way of the host's signals, and in the way of its tools.

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "ms_threads.h"

// A fault while its signal is blocked kills and leaves no trace.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

// What Dispatch leaves open on its own threads too. SIGPROF is how profilers sample, and how crash
// reporters, Swift's own among them, stop the other threads. SIGPIPE is for the thread that writes:
// of ours none does, but one of Dispatch's workers that is started from ours begins with our mask.
static const int tools[] = {SIGPROF, SIGPIPE};

/// Everything is blocked but what a thread of Dispatch leaves open. Of that, what the caller blocks
/// stays blocked: a host that waits for all its signals with `sigwait` must find ours no easier to
/// signal than its own threads. Real-time signals are blocked as well. Whoever sends them to single
/// threads sends them to threads it knows; sent to the process, they would run the host's handler
/// here while its own threads hold them off, or end the process where it waits for them.
static sigset_t blocked_beside(const sigset_t *callers) {
  sigset_t blocked;
  sigfillset(&blocked);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
  for (unsigned i = 0; i < sizeof tools / sizeof *tools; i++) {
    if (!sigismember(callers, tools[i])) sigdelset(&blocked, tools[i]);
  }
  return blocked;
}

bool ms_thread_start(pthread_t *thread, size_t stack_size, void *(*run)(void *), void *context) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  if (stack_size) pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN + stack_size);
  sigset_t callers, all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &callers);
  sigset_t blocked = blocked_beside(&callers);
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  bool started = pthread_create(thread, &attributes, run, context) == 0;
  pthread_sigmask(SIG_SETMASK, &callers, NULL);
  pthread_attr_destroy(&attributes);
  if (started) pthread_setname_np(*thread, "mainstay");
  return started;
}

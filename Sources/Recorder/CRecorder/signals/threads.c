// Starts threads that do not receive the host's signals, but stay visible to profilers and crash reporters.

#include <limits.h>
#include <pthread.h>
#include <signal.h>

#include "ms_threads.h"

// A fault whose signal is blocked kills the process before any handler runs.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

// Signals that Dispatch also leaves unblocked on its own threads. Profilers, and crash reporters such as Swift's own,
// stop other threads by SIGPROF. SIGPIPE goes to the thread that writes; our threads do not write, but a worker of
// Dispatch that is created by one of our threads inherits its mask.
static const int tools[] = {SIGPROF, SIGPIPE};

/// Returns the signals to block: all except faults and those that Dispatch leaves unblocked. The latter stay blocked
/// if the caller blocks them: a host that waits for all its signals with `sigwait` must not receive them on our
/// threads. Real-time signals are blocked too. Runtimes that suspend threads by such signals target only threads they
/// created; sent to the process, the signal would run the host's handler on our thread, or end the process during the
/// host's `sigwait`.
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

// The one file that changes signal dispositions.
//
// A handler of ours stands before the one it found: it does its own work, then hands the signal
// on as if it had never been there. What was ignored stays ignored, what was default stays default.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CProcessWatch.h"

typedef struct {
  unsigned takes;
  _Atomic(ms_signal_action) action;
  struct sigaction first;       // what stood there before we ever came
  struct sigaction found;       // what stood there when we last came
  bool has_first;
  _Atomic bool found_is_spent;  // it asked to be called once only, and was
} disposition;

static disposition dispositions[NSIG];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The signals that this thread is handing on. A handler that is handed one and hands it back to us
// (it was installed after us, and we after it again) must not be handed it a second time.
static _Thread_local uint64_t handing_on;

static void handle(int signal, siginfo_t *info, void *context);

static bool is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

static bool has_handler(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/// What the host's handler asked for holds for ours too, as it runs inside it: also on which stack,
/// as it may need more than an alternate one has.
static struct sigaction ours_before(const struct sigaction *found) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (has_handler(found)) {
    action.sa_mask = found->sa_mask;
    action.sa_flags = SA_SIGINFO | (found->sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK));
  }
  return action;
}

/// Signal safety: safe.
static void install(int signal) {
  struct sigaction action = ours_before(&dispositions[signal].found);
  sigaction(signal, &action, NULL);
}

/// Lets the default action happen here and now; it returns if the process goes on (stopped and
/// continued, or the first process of a container, which default actions do not kill).
/// Signal safety: safe.
static void act_by_default(int signal, siginfo_t *info) {
  struct sigaction by_default, was;
  memset(&by_default, 0, sizeof by_default);
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, &was);
  sigset_t only, mask;
  sigemptyset(&only);
  sigaddset(&only, signal);
  // The kernel lets a process pass on another's siginfo only to itself.
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info) != 0) {
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  }
  pthread_sigmask(SIG_UNBLOCK, &only, &mask);  // here it strikes
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(signal, &was, NULL);
}

/// A fault comes again when its instruction is run again: the kernel then acts by default with the
/// same siginfo, as if we had never been there. Signal safety: safe.
static void fault_again(int signal) {
  struct sigaction by_default;
  memset(&by_default, 0, sizeof by_default);
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, NULL);
}

static bool is_fault(int signal, const siginfo_t *info) {
  return info->si_code > 0 && info->si_code != SI_KERNEL &&
         (signal == SIGBUS || signal == SIGSEGV || signal == SIGILL || signal == SIGFPE ||
          signal == SIGTRAP);
}

static bool is_crash(int signal) {
  return signal == SIGBUS || signal == SIGSEGV || signal == SIGILL || signal == SIGFPE ||
         signal == SIGTRAP || signal == SIGABRT || signal == SIGSYS;
}

static bool same_handler(const struct sigaction *a, const struct sigaction *b) {
  return (a->sa_flags & SA_SIGINFO) == (b->sa_flags & SA_SIGINFO) && a->sa_handler == b->sa_handler;
}

/// Signal safety: safe, as far as the host's own handler is.
static void hand_to(const struct sigaction *found, bool spent, int signal, siginfo_t *info,
                    void *context) {
  if (has_handler(found) && !spent && !is_ours(found)) {
    if (found->sa_flags & SA_SIGINFO) found->sa_sigaction(signal, info, context);
    else found->sa_handler(signal);
    return;
  }
  if (!has_handler(found) && found->sa_handler == SIG_IGN) return;
  if (signal == SIGCONT) return;  // it has continued already
  if (is_fault(signal, info)) fault_again(signal);
  else act_by_default(signal, info);
}

/// Whoever has installed a handler since, and calls ours from it, decides what comes of the signal:
/// it may be the very handler that ours stands before, and it lived by its own will where nobody
/// stood before it. A crash is a crash all the same. Signal safety: safe.
static bool is_called_by_its_owner(int signal) {
  const struct sigaction *found = &dispositions[signal].found;
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0 || is_ours(&now)) return false;
  return has_handler(found) ? same_handler(&now, found) : !is_crash(signal);
}

static void hand_on(int signal, siginfo_t *info, void *context) {
  disposition *taken = &dispositions[signal];
  uint64_t bit = UINT64_C(1) << (signal - 1);
  if (is_called_by_its_owner(signal)) return;
  if (handing_on & bit) {
    hand_to(&taken->first, false, signal, info, context);
    return;
  }
  handing_on |= bit;
  bool spent = atomic_load(&taken->found_is_spent);
  if (taken->found.sa_flags & SA_RESETHAND) atomic_store(&taken->found_is_spent, true);
  hand_to(&taken->found, spent, signal, info, context);
  handing_on &= ~bit;
}

/// Signal safety: safe, as far as the actions are.
static void handle(int signal, siginfo_t *info, void *context) {
  int saved = errno;
  ms_signal_action action = atomic_load(&dispositions[signal].action);
  bool again = handing_on & UINT64_C(1) << (signal - 1);
  if (again || action == NULL || !action(signal, info, context)) hand_on(signal, info, context);
  errno = saved;
}

static bool begin_taking(int signal, ms_signal_action action) {
  disposition *taken = &dispositions[signal];
  struct sigaction found;
  if (sigaction(signal, NULL, &found) != 0) return false;
  if (!(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN) return false;
  atomic_store(&taken->action, action);
  if (is_ours(&found)) return true;  // somebody chained to us and put us back
  taken->found = found;
  if (!taken->has_first) taken->first = found;
  taken->has_first = true;
  atomic_store(&taken->found_is_spent, false);
  install(signal);
  return true;
}

bool ms_signal_take(int signal, ms_signal_action action) {
  if (signal <= 0 || signal >= NSIG) return false;
  pthread_mutex_lock(&lock);
  disposition *taken = &dispositions[signal];
  bool took = taken->takes > 0 || begin_taking(signal, action);
  if (took) taken->takes++;
  pthread_mutex_unlock(&lock);
  return took;
}

void ms_signal_give_back(int signal) {
  if (signal <= 0 || signal >= NSIG) return;
  pthread_mutex_lock(&lock);
  disposition *taken = &dispositions[signal];
  if (taken->takes > 0 && --taken->takes == 0) {
    struct sigaction now;
    // Whoever installed a handler after us may hand on to us: then ours stays, doing nothing.
    atomic_store(&taken->action, NULL);
    if (sigaction(signal, NULL, &now) == 0 && is_ours(&now)) {
      sigaction(signal, &taken->found, NULL);
    }
  }
  pthread_mutex_unlock(&lock);
}

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
#include <unistd.h>

#include "dispositions.h"

static disposition dispositions[NSIG];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handle(int signal, siginfo_t *info, void *context);

bool ms_is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

disposition *ms_disposition(int signal) { return &dispositions[signal]; }

/// What the host's handler asked for holds for ours too, as it runs inside it: also on which stack,
/// as it may need more than an alternate one has. Not so for a crash: a fault while it is recorded
/// must reach us, so nothing is blocked until the host's turn comes.
static struct sigaction ours_before(const disposition *taken) {
  const struct sigaction *found = &taken->found;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (taken->takes[MS_SIGNAL_CRASH] > 0) {
    action.sa_flags |= SA_NODEFER;
  } else if (ms_has_handler(found)) {
    action.sa_mask = found->sa_mask;
    action.sa_flags = SA_SIGINFO | (found->sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK));
  }
  return action;
}

static void install(int signal) {
  struct sigaction action = ours_before(&dispositions[signal]);
  sigaction(signal, &action, NULL);
}

/// A handler inherits the alignment checks of the code it interrupted, and is not made for them.
/// Signal safety: safe.
static inline void allow_misalignment(void) {
#if defined(__x86_64__)
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq\n\t"
                   "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
#endif
}

/// Signal safety: safe, as far as the actions are.
static void handle(int signal, siginfo_t *info, void *context) {
  allow_misalignment();
  int saved = errno;
  bool dealt_with = false;
  if (!ms_is_handing_on(signal, __builtin_frame_address(0))) {
    for (int taker = 0; taker < MS_SIGNAL_TAKERS && !dealt_with; taker++) {
      ms_signal_action action = atomic_load(&dispositions[signal].actions[taker]);
      dealt_with = action && action(signal, info, context);
    }
  }
  if (!dealt_with) ms_signal_hand_on(signal, info, context);
  errno = saved;
}

static bool is_taken(const disposition *taken) {
  return taken->takes[MS_SIGNAL_WATCH] + taken->takes[MS_SIGNAL_CRASH] > 0;
}

/// Notes what stands there now, if it is not us; false if the host ignores the signal.
static bool find(int signal) {
  disposition *taken = &dispositions[signal];
  struct sigaction found;
  if (sigaction(signal, NULL, &found) != 0) return false;
  if (!(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN) return false;
  if (ms_is_ours(&found)) return true;  // ours already, or somebody chained to us and put us back
  taken->found = found;
  if (!taken->has_first) taken->first = found;
  taken->has_first = true;
  atomic_store(&taken->found_is_spent, false);
  return true;
}

bool ms_signal_take(int signal, ms_signal_taker taker, ms_signal_action action) {
  if (signal <= 0 || signal >= NSIG) return false;
  pthread_mutex_lock(&lock);
  disposition *taken = &dispositions[signal];
  // A crash is for whoever comes last, so it takes the signal anew from who took it over meanwhile.
  bool begins = !is_taken(taken) || (taker == MS_SIGNAL_CRASH && taken->takes[taker] == 0);
  bool took = !begins || find(signal);
  if (took) {
    taken->takes[taker]++;
    atomic_store(&taken->actions[taker], action);
    if (begins) install(signal);
  }
  pthread_mutex_unlock(&lock);
  return took;
}

/// Whoever installed a handler after us may hand on to us: then ours stays, doing nothing.
static void give_back(int signal) {
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0 || !ms_is_ours(&now)) return;
  if (is_taken(&dispositions[signal])) install(signal);
  else sigaction(signal, &dispositions[signal].found, NULL);
}

void ms_signal_give_back(int signal, ms_signal_taker taker) {
  if (signal <= 0 || signal >= NSIG) return;
  pthread_mutex_lock(&lock);
  disposition *taken = &dispositions[signal];
  if (taken->takes[taker] > 0 && --taken->takes[taker] == 0) {
    atomic_store(&taken->actions[taker], NULL);
    give_back(signal);
  }
  pthread_mutex_unlock(&lock);
}

static _Atomic(ms_signal_action) borrowed;
static struct sigaction lender;
static _Atomic bool is_lent;

static void handle_borrowed(int signal, siginfo_t *info, void *context) {
  allow_misalignment();
  int saved = errno;
  ms_signal_action action = atomic_load(&borrowed);
  if (action) action(signal, info, context);
  errno = saved;
}

void ms_signal_borrow(int signal, ms_signal_action action) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = handle_borrowed;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&ours.sa_mask);
  // Faults in the action must reach their handlers.
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&ours.sa_mask, faults[i]);
  atomic_store(&borrowed, action);
  // A crash may borrow what a watchdog has borrowed already.
  sigaction(signal, &ours, atomic_exchange(&is_lent, true) ? NULL : &lender);
}

void ms_signal_return(int signal) {
  struct sigaction ignoring;
  memset(&ignoring, 0, sizeof ignoring);
  ignoring.sa_handler = SIG_IGN;  // which discards what is pending
  sigaction(signal, &ignoring, NULL);
  sigaction(signal, &lender, NULL);
  atomic_store(&is_lent, false);
}

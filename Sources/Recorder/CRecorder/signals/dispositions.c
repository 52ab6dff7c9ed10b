// The only file that changes signal dispositions.
//
// Our handler is installed in front of the handler that it found: it does its own work and then forwards the signal
// as if it did not exist. An ignored signal stays ignored, a default action stays the default.

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "change_locks.h"

/// Returns the signals to block during our work. Faults stay unblocked, because they must reach us. Other signals
/// could run a host's handler inside ours, which may leave by `longjmp`, or cancel the thread in the middle of our
/// work.
static ms_mask all_but_faults(void) {
  static const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT,
                             ms_user_changing_signal, SIGKILL, SIGSTOP};
  ms_mask mask = ~UINT64_C(0);
  for (unsigned i = 0; i < sizeof open / sizeof *open; i++) mask &= ~ms_bit_of(open[i]);
  return mask;
}

/// Returns our disposition, with the flags and the mask of the host's handler, because the host's handler runs inside
/// ours. The flags include the stack, because that handler may need more space than an alternate stack has. For a
/// crash, only faults may interrupt the recording; the host's handler gets its own mask when it is called.
static struct sigaction ours_before(const disposition *taken) {
  const struct sigaction *found = &taken->found;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = ms_signal_entry;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (taken->takes[MS_SIGNAL_CRASH] > 0) {
    action.sa_flags |= SA_NODEFER;
    *ms_mask_in(&action.sa_mask) = all_but_faults();
  } else if (ms_has_handler(found)) {
    action.sa_mask = found->sa_mask;
    action.sa_flags = SA_SIGINFO | (found->sa_flags & (SA_RESTART | SA_NODEFER | SA_ONSTACK));
  }
  *ms_mask_in(&action.sa_mask) |= ms_bit_of(ms_cancelling_signal);
  return action;
}

static void install(int signal) {
  struct sigaction action = ours_before(ms_disposition(signal));
  ms_disposition(signal)->blocks = ms_mask_of(&action.sa_mask) |
                                (action.sa_flags & SA_NODEFER ? 0 : ms_bit_of(signal));
  sigaction(signal, &action, NULL);
}

static bool is_taken(const disposition *taken) {
  return taken->takes[MS_SIGNAL_WATCH] + taken->takes[MS_SIGNAL_CRASH] > 0;
}

/// Saves the current handler unless it is ours. Returns false if the host ignores the signal.
static bool find(int signal) {
  disposition *taken = ms_disposition(signal);
  struct sigaction found;
  if (sigaction(signal, NULL, &found) != 0) return false;
  if (found.sa_handler == SIG_IGN) return false;
  if (ms_is_ours(&found)) return true;  // our handler is still installed, or was reinstalled by other code
  taken->found = found;
  if (!taken->has_first) taken->first = found;
  taken->has_first = true;
  atomic_store(&taken->found_is_spent, false);
  return true;
}

bool ms_signal_take(int signal, ms_signal_taker taker, ms_signal_action action) {
  if (signal <= 0 || signal >= NSIG) return false;
  ms_mask mask = ms_begin_change(MS_DISPOSITIONS);
  disposition *taken = ms_disposition(signal);
  // The crash handler should be the handler that was installed last, so this takes the signal again if other code has
  // replaced our handler.
  bool begins = !is_taken(taken) || (taker == MS_SIGNAL_CRASH && taken->takes[taker] == 0);
  bool took = !begins || find(signal);
  if (took) {
    taken->takes[taker]++;
    atomic_store(&taken->actions[taker], action);
    if (begins) install(signal);
  }
  ms_end_change(MS_DISPOSITIONS, mask);
  return took;
}

/// Stores the handler to which signals are forwarded. A thread that reads it during this change sees the old handler,
/// the new one or a callable mixture, because additional arguments do no harm.
static void write_found(disposition *taken, const struct sigaction *action) {
  taken->found.sa_handler = action->sa_handler;
  atomic_thread_fence(memory_order_seq_cst);
  taken->found.sa_flags = action->sa_flags;
  taken->found.sa_mask = action->sa_mask;
  atomic_store(&taken->found_is_spent, false);
}

void ms_signal_come_before(int signal, const struct sigaction *action) {
  if (signal <= 0 || signal >= NSIG || action->sa_flags & SA_SIGINFO) return;
  ms_mask mask = ms_begin_change(MS_DISPOSITIONS);
  disposition *taken = ms_disposition(signal);
  if (!taken->has_first) sigaction(signal, NULL, &taken->first);
  taken->has_first = true;
  write_found(taken, action);
  install(signal);
  ms_end_change(MS_DISPOSITIONS, mask);
}

/// Uninstalls our handler, unless another was installed after ours: that handler may forward to ours, which then
/// stays installed without effect.
static void give_back(int signal) {
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0 || !ms_is_ours(&now)) return;
  if (is_taken(ms_disposition(signal))) install(signal);
  else sigaction(signal, &ms_disposition(signal)->found, NULL);
}

void ms_signal_give_back(int signal, ms_signal_taker taker) {
  if (signal <= 0 || signal >= NSIG) return;
  ms_mask mask = ms_begin_change(MS_DISPOSITIONS);
  disposition *taken = ms_disposition(signal);
  if (taken->takes[taker] > 0 && --taken->takes[taker] == 0) {
    atomic_store(&taken->actions[taker], NULL);
    give_back(signal);
  }
  ms_end_change(MS_DISPOSITIONS, mask);
}

// --- Borrowing a signal for a short time

static _Atomic(ms_signal_action) borrowed;
static struct sigaction lender;
static _Atomic bool is_lent;

static void handle_borrowed(int signal, siginfo_t *info, void *context);

static bool is_borrowers(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle_borrowed;
}

/// The handler of a borrowed signal. The action stays set when the signal is returned, because requested signals may
/// be pending. A host that replaced this handler may also reinstall it long after; the signals that the action does
/// not handle go to the lender's handler. Signal safety: safe if the host's handler is.
static void handle_borrowed(int signal, siginfo_t *info, void *context) {
  ms_allow_misalignment();
  int saved = errno;
  ms_signal_action action = atomic_load(&borrowed);
  if (action == NULL || !action(signal, info, context)) {
    ms_signal_forward_to(&lender, signal, info, context);
  }
  errno = saved;
}

/// Returns our disposition, with the stack that the lender's handler expects, because ours may call that handler.
static struct sigaction borrowers(const struct sigaction *found) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = handle_borrowed;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | (ms_has_handler(found) ? 0 : SA_ONSTACK);
  ours.sa_flags |= found->sa_flags & SA_ONSTACK;
  *ms_mask_in(&ours.sa_mask) = all_but_faults();
  return ours;
}

void ms_signal_borrow(int signal, ms_signal_action action) {
  atomic_store(&borrowed, action);
  // A crash may borrow a signal that a watchdog has already borrowed.
  if (atomic_exchange(&is_lent, true)) return;
  struct sigaction found;
  sigaction(signal, NULL, &found);
  if (is_borrowers(&found)) return;  // reinstalled by other code: `lender` is still valid
  lender = found;
  struct sigaction ours = borrowers(&found);
  ms_disposition(signal)->blocks = ms_mask_of(&ours.sa_mask) | ms_bit_of(signal);
  sigaction(signal, &ours, &found);
  if (!is_borrowers(&found)) lender = found;
}

/// Replaces the current handler if it is `expected`. Otherwise returns false and restores the handler; a handler that
/// was installed in between is inactive for that moment.
static bool replace(int signal, bool (*expected)(const struct sigaction *),
                    const struct sigaction *by) {
  struct sigaction found;
  if (sigaction(signal, NULL, &found) != 0 || !expected(&found)) return false;
  sigaction(signal, by, &found);
  if (expected(&found)) return true;
  sigaction(signal, &found, NULL);
  return false;
}

static bool is_ignored(const struct sigaction *action) {
  return action->sa_handler == SIG_IGN;
}

/// Restores the lender's handler, unless other code has installed a handler since. Signals that are pending for
/// threads which block them are discarded by ignoring the signal, because the default action might end the process.
void ms_signal_return(int signal) {
  struct sigaction ignoring;
  memset(&ignoring, 0, sizeof ignoring);
  ignoring.sa_handler = SIG_IGN;
  if (replace(signal, is_borrowers, &ignoring)) replace(signal, is_ignored, &lender);
  atomic_store(&is_lent, false);
}

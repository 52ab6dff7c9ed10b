// Declarations shared by the files that manage signal dispositions.
#ifndef MAINSTAY_DISPOSITIONS_H
#define MAINSTAY_DISPOSITIONS_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "ms_blocking_crumbs.h"
#include "ms_periodic.h"
#include "ms_loop_threads.h"
#include "ms_signals.h"
#include "ms_threads.h"
#include "ms_watch.h"

/// A signal mask of the kernel: one bit per signal. The C library's functions for signal sets leave out the signal by
/// which the library cancels threads.
typedef uint64_t ms_mask;

enum { ms_cancelling_signal = 32, ms_user_changing_signal = 33 };

static inline ms_mask ms_bit_of(int signal) { return UINT64_C(1) << (signal - 1); }
static inline ms_mask *ms_mask_in(sigset_t *set) { return (ms_mask *)set; }
static inline ms_mask ms_mask_of(const sigset_t *set) { return *(const ms_mask *)set; }

/// Returns the signal mask of the interrupted code.
static inline ms_mask ms_mask_before(const void *context) {
  return ms_mask_of(&((const ucontext_t *)context)->uc_sigmask);
}

/// Sets the signal mask and returns the previous one. Signal safety: safe.
static inline ms_mask ms_set_mask(ms_mask mask) {
  ms_mask before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, sizeof mask);
  return before;
}

typedef struct {
  unsigned takes[MS_SIGNAL_TAKERS];
  _Atomic(ms_signal_action) actions[MS_SIGNAL_TAKERS];
  ms_mask blocks;               // the signals that the kernel also blocks when it calls our handler
  struct sigaction first;       // the disposition before our first installation
  struct sigaction found;       // the disposition before our last installation
  bool has_first;
  _Atomic bool found_is_spent;  // true if `found` is an SA_RESETHAND handler that was already called
} disposition;

static inline bool ms_has_handler(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/// Disables alignment checks. A handler inherits them from the interrupted code, but is not compiled for them. Signal
/// safety: safe.
static inline void ms_allow_misalignment(void) {
#if defined(__x86_64__)
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq\n\t"
                   "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
#endif
}

disposition *ms_disposition(int signal);
bool ms_is_ours(const struct sigaction *action);

/// Our handler of every taken signal. Jumps to `ms_signal_arrived`, which the compiler does not see, with the
/// canonical frame address as an additional argument. Signal safety: safe if the registered actions are.
__attribute__((visibility("hidden"))) void ms_signal_entry(int signal, siginfo_t *info,
                                                           void *context);
__attribute__((used, visibility("hidden"), no_sanitize("address"))) void ms_signal_arrived(
    int signal, siginfo_t *info, void *context, const void *cfa);

/// Returns the disposition that was found at the last installation; called by other copies of this library. Signal
/// safety: safe.
__attribute__((used, visibility("hidden"))) const struct sigaction *ms_signal_found(int signal);

/// Replaces `now` by the disposition that another copy of this library found for `signal`, if `now` is that copy's
/// handler; returns false otherwise. Signal safety: safe.
bool ms_find_behind_copy(int signal, struct sigaction *now);

/// Applies `found` to the signal: calls its handler, or performs its default action. Signal safety: safe if the
/// handler of `found` is.
ms_signal_outcome ms_signal_forward_to(const struct sigaction *found, int signal, siginfo_t *info,
                                    void *context);

/// Puts our handler in front of a handler without `siginfo_t` that is about to be installed, as if that handler had
/// existed when the signal was taken. Not signal-safe.
void ms_signal_come_before(int signal, const struct sigaction *action);

// blocking_crumbs.c
/// Informs a preloaded library that detects blocking calls that this log accepts its findings, or no longer does. Not
/// signal-safe: calls the loader.
void ms_blocking_offer(ms_log *log);
void ms_blocking_withdraw(ms_log *log);

#endif

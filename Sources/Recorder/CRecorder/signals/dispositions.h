// Declarations shared by the files that own signal dispositions.
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
#include "ms_waiting.h"
#include "ms_watch.h"

/// Signals as the kernel has them: a bit each. The C library's functions for sets and masks leave out
/// the one by which it cancels a thread.
typedef uint64_t ms_mask;

enum { ms_cancelling_signal = 32, ms_user_changing_signal = 33 };

static inline ms_mask ms_bit_of(int signal) { return UINT64_C(1) << (signal - 1); }
static inline ms_mask *ms_mask_in(sigset_t *set) { return (ms_mask *)set; }
static inline ms_mask ms_mask_of(const sigset_t *set) { return *(const ms_mask *)set; }

/// The signal mask of the interrupted code.
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
  ms_mask blocks;               // what is blocked when the kernel calls ours, beside what was before
  struct sigaction first;       // what stood there before we ever came
  struct sigaction found;       // what stood there when we last came
  bool has_first;
  _Atomic bool found_is_spent;  // it asked to be called once only, and was
} disposition;

static inline bool ms_has_handler(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/// A handler inherits the alignment checks of the code it interrupted, and is not made for them.
/// Signal safety: safe.
static inline void ms_allow_misalignment(void) {
#if defined(__x86_64__)
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq\n\t"
                   "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
#endif
}

disposition *ms_disposition(int signal);
bool ms_is_ours(const struct sigaction *action);

/// Our handler of every signal that is taken: jumps to `ms_signal_arrived`, which the compiler does not see, with its
/// canonical frame address as one more argument. Signal safety: safe, as far as the actions are.
__attribute__((visibility("hidden"))) void ms_signal_entry(int signal, siginfo_t *info,
                                                           void *context);
__attribute__((used, visibility("hidden"), no_sanitize("address"))) void ms_signal_arrived(
    int signal, siginfo_t *info, void *context, const void *cfa);

/// The disposition that was found at the last installation; called by other copies of this library. Signal safety:
/// safe.
__attribute__((used, visibility("hidden"))) const struct sigaction *ms_signal_found(int signal);

/// If `now` is the handler of another copy of this library, replaces it by the disposition of `signal` that this copy
/// stands before. Signal safety: safe.
bool ms_find_behind_copy(int signal, struct sigaction *now);

/// Does what `found` would have done with the signal. Signal safety: safe, as far as its handler is.
ms_signal_outcome ms_signal_forward_to(const struct sigaction *found, int signal, siginfo_t *info,
                                    void *context);

/// Puts our handler in front of a handler without `siginfo_t` that is about to be installed, as if that had existed
/// when the signal was taken. Not signal-safe.
void ms_signal_come_before(int signal, const struct sigaction *action);

// blocking_crumbs.c
/// Tells a library that was preloaded to find such calls that this log takes them, or takes them no longer. Not
/// signal-safe: it asks the loader.
void ms_blocking_offer(ms_log *log);
void ms_blocking_withdraw(ms_log *log);

#endif

// Runs our actions when a signal arrives, and forwards the signal to the handler that was installed before ours.

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "dispositions.h"
#include "interrupted_stack.h"

static disposition dispositions[NSIG];

disposition *ms_disposition(int signal) { return &dispositions[signal]; }

const struct sigaction *ms_signal_found(int signal) { return &dispositions[signal].found; }

bool ms_is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == ms_signal_entry;
}

// The signals that this thread is forwarding. A handler that receives such a signal and passes it back to us (because
// it was installed after ours, and ours again after that handler) must not receive the signal again. The thread-local
// memory exists from the start of the thread, because a handler must not allocate it.
#define MS_EARLY_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
static MS_EARLY_THREAD_LOCAL uint64_t forwarding;
static MS_EARLY_THREAD_LOCAL const void *forwarding_frame;
static MS_EARLY_THREAD_LOCAL stack_t forwarding_stack;  // the handler's alternate stack; size 0: the thread's own
// True if the signal mask shows whether the handler still runs: see `call`.
static MS_EARLY_THREAD_LOCAL bool forwarding_is_marked;

static bool is_on(const stack_t *stack, const void *frame) {
  return (uintptr_t)frame - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/// Returns the alternate stack on which a handler with this frame was called; size 0 for the thread's own stack.
static stack_t stack_of(const void *frame, const void *context) {
  stack_t alternate = ((const ucontext_t *)context)->uc_stack;
  return is_on(&alternate, frame) ? alternate : (stack_t){0};
}

/// Returns true if the host's handler, to which this thread forwards a signal, was left by `longjmp`.
///
/// A jump restores the mask from before the fault, and so removes the mark that `call` sets for a handler on the
/// thread's own stack. Without the mark, the frame address decides: code inside a handler has a lower frame, because
/// stacks grow downwards. A handler on the alternate stack does not leave that stack, because a thread cannot change
/// an alternate stack that is in use.
static bool has_left(const void *frame, const void *context, bool by_kernel) {
  if (by_kernel && forwarding_is_marked && !(ms_mask_before(context) & ms_bit_of(ms_cancelling_signal))) return true;
  bool is_apart = forwarding_stack.ss_size != 0;
  if (is_apart != is_on(is_apart ? &forwarding_stack : &((const ucontext_t *)context)->uc_stack, frame)) {
    return is_apart;
  }
  return (uintptr_t)frame >= (uintptr_t)forwarding_frame;
}

bool ms_signal_is_forwarding(void) { return forwarding != 0; }

/// Keeps a function's local variables off the stack while the host's handler runs, because that stack may be small.
#define MS_APART __attribute__((noinline))
#define MS_INLINED inline __attribute__((always_inline))
#define MS_UNWATCHED __attribute__((no_sanitize("address")))

void ms_signal_open_mask(const void *context) {
  ms_set_mask(ms_mask_before(context) | ms_bit_of(ms_cancelling_signal));
}

/// Blocks the cancellation signal for the interrupted code: a thread that was cancelled while we recorded its crash
/// would be unwound before it dies. Signal safety: safe.
static void die_uncancelled(void *context) {
  sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
  *ms_mask_in(mask) |= ms_bit_of(ms_cancelling_signal);
}

/// Sends the signal to this thread, with its siginfo if the kernel allows that: a process can send the siginfo of
/// another sender only to itself. Signal safety: safe.
static void send_to_self(int signal, siginfo_t *info) {
  if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info) != 0) {
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  }
}

/// Performs the default action immediately. Returns if the process continues (it was stopped and continued, or it is
/// the first process of a container, which default actions do not kill). Signal safety: safe.
MS_APART static void act_by_default(int signal, siginfo_t *info) {
  struct sigaction by_default, was;
  memset(&by_default, 0, sizeof by_default);
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, &was);
  send_to_self(signal, info);
  ms_mask mask = ms_set_mask(~ms_bit_of(signal));  // the signal is delivered here
  ms_set_mask(mask);
  sigaction(signal, &was, NULL);
}

/// Lets a fault recur: the kernel executes its instruction again and then performs the default action with the same
/// siginfo, as without our handler. Signal safety: safe.
MS_APART static void fault_again(int signal) {
  struct sigaction by_default;
  memset(&by_default, 0, sizeof by_default);
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, NULL);
}

/// Sends the signal again, blocked until the handler returns, so that it arrives at the same instruction with the
/// same siginfo. Signal safety: safe.
static void send_again(int signal, siginfo_t *info) {
  fault_again(signal);
  ms_set_mask(~UINT64_C(0));
  send_to_self(signal, info);
}

static bool ends_process(int signal) {
  switch (signal) {
    case SIGSEGV: case SIGBUS: case SIGILL: case SIGTRAP: case SIGFPE: case SIGABRT:
    case SIGSYS: case SIGQUIT: return true;
    default: return false;
  }
}

static bool is_fault(int signal, const siginfo_t *info) {
  return info->si_code > 0 && info->si_code != SI_KERNEL &&
         (signal == SIGBUS || signal == SIGSEGV || signal == SIGILL || signal == SIGFPE ||
          signal == SIGTRAP);
}

/// Returns true if the signal recurs when the instruction is executed again, as a general protection fault does (for
/// example at a non-canonical address), although its code is SI_KERNEL. Signal safety: safe.
static bool comes_again(int signal, const siginfo_t *info) {
  return is_fault(signal, info) || (signal == SIGSEGV && info->si_code == SI_KERNEL);
}

static uintptr_t instruction(const void *context) {
  const ucontext_t *interrupted = context;
#if defined(__x86_64__)
  return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)interrupted->uc_mcontext.pc;
#endif
}

MS_APART static bool is_default(int signal) {
  struct sigaction now;
  return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
}

/// Returns the signals that the kernel would have blocked for the host's handler. A fault in a handler that reports
/// crashes is not blocked, so that it reaches us.
static ms_mask blocked_for(const struct sigaction *found, int signal) {
  ms_mask blocked = ms_mask_of(&found->sa_mask);
  bool blocks_own = !(found->sa_flags & SA_NODEFER) &&
                    (!ends_process(signal) || ms_signal_host_of(signal) == MS_HOST_RECOVERS);
  if (blocks_own) blocked |= ms_bit_of(signal);
  // With SA_NODEFER, a `longjmp` need not restore the mask, and the host would continue with the mark.
  bool marks = forwarding_is_marked && !(found->sa_flags & SA_NODEFER);
  return marks ? blocked | ms_bit_of(ms_cancelling_signal) : blocked;
}

/// Calls the host's handler with the mask that the kernel would have set. For a crash on the thread's own stack, also
/// blocks the signal that cancels threads, as a mark that only a `longjmp` removes.
static void call(const struct sigaction *found, int signal, siginfo_t *info, void *context) {
  ms_mask before = ms_mask_before(context), blocked = blocked_for(found, signal);
  ms_mask mask = ms_set_mask(before | blocked);
  bool by_kernel = mask == (before | ms_disposition(signal)->blocks);
  if (!by_kernel) ms_set_mask(mask | blocked);  // called by a handler that was installed after ours
  if (found->sa_flags & SA_SIGINFO) found->sa_sigaction(signal, info, context);
  else found->sa_handler(signal);
  ms_set_mask(mask);
}

/// Forwards the signal to `found`: calls its handler, or performs its default action. Signal safety: safe if the
/// host's handler is.
static ms_signal_outcome hand_to(const struct sigaction *found, bool spent, int signal,
                                 siginfo_t *info, void *context) {
  if (ms_has_handler(found) && !spent && !ms_is_ours(found)) {
    uintptr_t before = instruction(context);
    call(found, signal, info, context);
    if (signal == SIGABRT) return MS_FORWARDED_FATAL;  // abort() ends the process by itself
    bool is_over = comes_again(signal, info) && instruction(context) == before && is_default(signal);
    if (!is_over) return MS_FORWARDED_SURVIVED;
    die_uncancelled(context);
    return MS_FORWARDED_FATAL;
  }
  if (found->sa_handler == SIG_IGN) return MS_FORWARDED_SURVIVED;
  if (signal == SIGCONT) return MS_FORWARDED_SURVIVED;  // the process has already continued
  if (ends_process(signal)) die_uncancelled(context);
  if (is_fault(signal, info)) fault_again(signal);
  else if (ends_process(signal)) send_again(signal, info);
  else act_by_default(signal, info);
  return MS_FORWARDED_FATAL;
}

static bool same_handler(const struct sigaction *a, const struct sigaction *b) {
  return (a->sa_flags & SA_SIGINFO) == (b->sa_flags & SA_SIGINFO) && a->sa_handler == b->sa_handler;
}

/// Returns true if a host's handler that was installed after ours has called ours and decides the outcome itself: the
/// caller is the handler that ours found, or ours found no handler. Returns false for a crash, where the outcome is
/// the same. Signal safety: safe.
MS_APART static bool is_called_by_its_owner(int signal) {
  enum { most_copies = 8 };
  if (ends_process(signal)) return false;
  const struct sigaction *found = &ms_disposition(signal)->found;
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return false;
  for (int i = 0; i < most_copies && !ms_is_ours(&now) && ms_find_behind_copy(signal, &now); i++) continue;
  return !ms_is_ours(&now) && (!ms_has_handler(found) || same_handler(&now, found));
}

ms_signal_outcome ms_signal_forward_to(const struct sigaction *found, int signal, siginfo_t *info,
                                    void *context) {
  return hand_to(found, false, signal, info, context);
}

ms_signal_outcome ms_signal_forward(int signal, siginfo_t *info, void *context) {
  disposition *taken = ms_disposition(signal);
  if (is_called_by_its_owner(signal)) return MS_FORWARDED_SURVIVED;
  const void *frame = __builtin_frame_address(0);
  if (forwarding & ms_bit_of(signal)) return hand_to(&taken->first, false, signal, info, context);
  const void *outer = forwarding_frame;
  stack_t outer_stack = forwarding_stack;
  bool outer_is_marked = forwarding_is_marked;
  if (forwarding == 0) {
    forwarding_frame = frame;
    forwarding_stack = stack_of(frame, context);
    forwarding_is_marked = ends_process(signal) && forwarding_stack.ss_size == 0;
  }
  forwarding |= ms_bit_of(signal);
  bool spent = atomic_load(&taken->found_is_spent);
  if (taken->found.sa_flags & SA_RESETHAND) atomic_store(&taken->found_is_spent, true);
  ms_signal_outcome outcome = hand_to(&taken->found, spent, signal, info, context);
  forwarding &= ~ms_bit_of(signal);
  forwarding_frame = outer;
  forwarding_stack = outer_stack;
  forwarding_is_marked = outer_is_marked;
  return outcome;
}

ms_signal_host ms_signal_host_of(int signal) {
  const disposition *taken = ms_disposition(signal);
  if (!ms_has_handler(&taken->found) || atomic_load(&taken->found_is_spent)) {
    return MS_HOST_DEFAULT;
  }
  const struct sigaction *abort = &ms_disposition(SIGABRT)->found;
  bool reports = signal == SIGABRT || (ms_has_handler(abort) &&
                 abort->sa_handler == taken->found.sa_handler);
  return reports ? MS_HOST_REPORTS : MS_HOST_RECOVERS;
}

/// Returns true if the kernel would have killed the process for a fault inside the host's handler of the same signal,
/// because the kernel blocks the signal there. Our handler leaves the signal unblocked, so that a crash in a handler
/// that reports crashes reaches us. Signal safety: safe.
static bool kernel_would_kill(int signal, const siginfo_t *info) {
  return comes_again(signal, info) && !(dispositions[signal].found.sa_flags & SA_NODEFER);
}

/// Runs the actions and forwards the signal. Inlined, because the host's handler may have little stack left.
static MS_INLINED void arrive(int signal, siginfo_t *info, void *context, bool by_kernel) {
  int saved = errno;
  // A handler that was left by `longjmp` no longer runs.
  if (forwarding && has_left(__builtin_frame_address(0), context, by_kernel)) forwarding = 0;
  bool dealt_with = false, is_nested = forwarding & ms_bit_of(signal);
  for (int taker = 0; taker < MS_SIGNAL_TAKERS && !dealt_with && !is_nested; taker++) {
    ms_signal_action action = atomic_load(&dispositions[signal].actions[taker]);
    dealt_with = action && action(signal, info, context);
  }
  if (is_nested && by_kernel && kernel_would_kill(signal, info)) {
    static const struct sigaction by_default;
    hand_to(&by_default, false, signal, info, context);
  } else if (!dealt_with) {
    ms_signal_forward(signal, info, context);
  }
  errno = saved;
}

static void arrive_on_own_stack(int signal, siginfo_t *info, void *context) {
  arrive(signal, info, context, true);
}

/// Returns true if our handler runs on an alternate stack, on which the host's handler would not run. Signal safety:
/// safe.
static bool host_expects_own_stack(int signal, const void *context) {
  const disposition *taken = &dispositions[signal];
  if (!ms_has_handler(&taken->found) || taken->found.sa_flags & SA_ONSTACK) return false;
  if (atomic_load(&taken->found_is_spent)) return false;
  return stack_of(context, context).ss_size != 0;
}

/// Switches to the stack that the host's handler expects and continues there. Returns if the handler belongs on the
/// current stack. Not sanitizer-instrumented, because the frame is left without its epilogue. Signal safety: safe if
/// the registered actions are.
MS_APART MS_UNWATCHED static void go_on_as_host_expects(int signal, siginfo_t *info, void *context,
                                                        void *return_address) {
  if (!host_expects_own_stack(signal, context)) return;
  ms_moved_frame moved = ms_move_frame(info, context);
  if (moved.stack) ms_go_on_at(moved, arrive_on_own_stack, signal, return_address);
}

void ms_signal_arrived(int signal, siginfo_t *info, void *context, const void *cfa) {
  ms_allow_misalignment();
  bool by_kernel = cfa == ms_frame_end(info, context);
  if (by_kernel) go_on_as_host_expects(signal, info, context, __builtin_return_address(0));
  arrive(signal, info, context, by_kernel);
}

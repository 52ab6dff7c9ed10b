// Manages every signal disposition that Mainstay changes.
#ifndef MAINSTAY_SIGNALS_H
#define MAINSTAY_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An action for a signal, called before the signal is forwarded to the host's handler. Returns true if the signal is
/// handled and must not be forwarded.
typedef bool (*ms_signal_action)(int signal, siginfo_t *info, void *context);

/// The components that handle signals. Each has at most one action for a signal; the actions run in this order.
typedef enum {
  MS_SIGNAL_WATCH = 0,
  MS_SIGNAL_CRASH = 1,
  MS_SIGNAL_TAKERS = 2,
} ms_signal_taker;

/// Installs `action` in front of the current handler of `signal`. Returns false if the host ignores the signal; the
/// disposition is unchanged then. Not signal-safe.
bool ms_signal_take(int signal, ms_signal_taker taker, ms_signal_action action);

/// Undoes one `ms_signal_take`. The last one restores the previous handler, unless other code has replaced ours. Not
/// signal-safe.
void ms_signal_give_back(int signal, ms_signal_taker taker);

/// The kind of handler to which a signal is forwarded.
typedef enum {
  MS_HOST_DEFAULT = 0,   ///< no handler: the kernel's default action
  MS_HOST_REPORTS = 1,   ///< a handler that also handles SIGABRT: a crash reporter
  MS_HOST_RECOVERS = 2,  ///< a handler for this particular signal: it may repair the cause
} ms_signal_host;

/// Returns the kind of handler to which a taken signal is forwarded. Signal safety: safe.
ms_signal_host ms_signal_host_of(int signal);

/// The result of `ms_signal_forward`.
typedef enum {
  MS_FORWARDED_FATAL = 0,     ///< the process ends when the handler returns
  MS_FORWARDED_SURVIVED = 1,  ///< the process continues
} ms_signal_outcome;

/// Forwards the signal now instead of after the action, which must then return true. Signal safety: safe if the
/// host's handler is.
ms_signal_outcome ms_signal_forward(int signal, siginfo_t *info, void *context);

/// Returns true if the calling thread is forwarding a signal. Returns false if the forwarded-to handler was left by
/// `longjmp` and another signal has arrived since. Signal safety: safe.
bool ms_signal_is_forwarding(void);

/// Restores the signal mask of the interrupted code, but keeps the thread cancellation signal blocked. Signal safety:
/// safe.
void ms_signal_open_mask(const void *context);

/// Installs `action` temporarily in place of a handler. Signals that the action does not handle go to that handler.
/// Signal safety: safe.
void ms_signal_borrow(int signal, ms_signal_action action);

/// Undoes `ms_signal_borrow`. Signals that are pending for threads which block them are discarded. A handler that
/// other code has installed since stays. Signal safety: safe.
void ms_signal_return(int signal);

#ifdef __cplusplus
}
#endif
#endif

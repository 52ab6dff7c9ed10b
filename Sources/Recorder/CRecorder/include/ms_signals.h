// Owns every signal disposition that Mainstay ever changes.
#ifndef MAINSTAY_SIGNALS_H
#define MAINSTAY_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An action for a signal, called before the signal is forwarded to the host's handler. Returns true if the signal is
/// handled and goes no further.
typedef bool (*ms_signal_action)(int signal, siginfo_t *info, void *context);

/// The parts that take a signal. Each has one action for a signal, and they act in this order.
typedef enum {
  MS_SIGNAL_WATCH = 0,
  MS_SIGNAL_CRASH = 1,
  MS_SIGNAL_TAKERS = 2,
} ms_signal_taker;

/// Puts `action` before whatever handles `signal` now, on the first take of several; a signal that
/// the host ignores is left alone (false). Not signal-safe.
bool ms_signal_take(int signal, ms_signal_taker taker, ms_signal_action action);

/// Undoes one `ms_signal_take`. The last one restores the previous handler, unless other code has replaced ours. Not
/// signal-safe.
void ms_signal_give_back(int signal, ms_signal_taker taker);

/// The kind of handler behind ours.
typedef enum {
  MS_HOST_DEFAULT = 0,   ///< nobody: the kernel's default action
  MS_HOST_REPORTS = 1,   ///< a handler that has SIGABRT too: one that tells of crashes
  MS_HOST_RECOVERS = 2,  ///< a handler for this signal in particular: it may repair what happened
} ms_signal_host;

/// The handler that a taken signal is passed on to. Signal safety: safe.
ms_signal_host ms_signal_host_of(int signal);

/// The result of `ms_signal_forward`.
typedef enum {
  MS_FORWARDED_FATAL = 0,     ///< the process ends when the handler returns
  MS_FORWARDED_SURVIVED = 1,  ///< it goes on
} ms_signal_outcome;

/// Hands the signal on now instead of after the action, which must then return true.
/// Signal safety: safe, as far as the host's own handler is.
ms_signal_outcome ms_signal_forward(int signal, siginfo_t *info, void *context);

/// Whether the calling thread is handing a signal on: false if the handler that had it was left by a long jump
/// and another signal has come since. Signal safety: safe.
bool ms_signal_is_forwarding(void);

/// Restores the signal mask of the interrupted code, but keeps the signal blocked that cancels threads. Signal
/// safety: safe.
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

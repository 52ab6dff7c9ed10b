// Observes signals that threads accept without a handler.
#ifndef MAINSTAY_ACCEPTED_SIGNALS_H
#define MAINSTAY_ACCEPTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/// The receiver of observed signals.
typedef struct {
  /// Returns true if an open log records this signal. Signal safety: safe.
  bool (*wants)(int signal);
  /// Records that a thread accepted this signal. Signal safety: as `ms_log_enter`.
  void (*heard)(int signal, int code, pid_t sender);
  /// Puts our handler in front of a handler that is about to be installed; returns false if no log records the
  /// signal. Takes a lock: called with all signals blocked.
  bool (*comes_before)(int signal, const struct sigaction *action);
} ms_listener;

/// Starts to report signals to the listener. All calls must pass the same listener, and each needs an
/// `ms_accepted_signals_end`. Not signal-safe.
void ms_accepted_signals_begin(const ms_listener *told);

/// Undoes `ms_accepted_signals_begin`. Not signal-safe.
void ms_accepted_signals_end(void);

#endif

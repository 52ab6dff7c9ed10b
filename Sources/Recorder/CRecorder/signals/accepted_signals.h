// Observes signals that threads accept without a handler.
#ifndef MAINSTAY_ACCEPTED_SIGNALS_H
#define MAINSTAY_ACCEPTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/// The receiver of observed signals.
typedef struct {
  /// True if an open log records this signal. Signal safety: safe.
  bool (*wants)(int signal);
  /// Records that this signal was taken from the kernel. Signal safety: as `ms_log_enter`.
  void (*heard)(int signal, int code, pid_t sender);
  /// Puts our handler in front of one that is about to be installed; false if that is impossible. Takes a lock:
  /// called with all signals masked.
  bool (*comes_before)(int signal, const struct sigaction *action);
} ms_listener;

/// Starts to report to the listener, which is always the same; each call needs an `ms_accepted_signals_end`. Not
/// signal-safe.
void ms_accepted_signals_begin(const ms_listener *told);

/// Undoes `ms_accepted_signals_begin`. Not signal-safe.
void ms_accepted_signals_end(void);

#endif

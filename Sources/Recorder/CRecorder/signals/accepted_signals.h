// Hears of signals that no handler sees.
#ifndef MAINSTAY_ACCEPTED_SIGNALS_H
#define MAINSTAY_ACCEPTED_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/// The receivers of a signal.
typedef struct {
  /// Whether any open log wants to know of this signal. Signal safety: safe.
  bool (*wants)(int signal);
  /// Records that this signal was taken from the kernel. Signal safety: as `ms_log_enter`.
  void (*heard)(int signal, int code, pid_t sender);
  /// Puts our handler before one that is about to be installed; false if that cannot be. Takes a lock:
  /// called with all signals masked.
  bool (*comes_before)(int signal, const struct sigaction *action);
} ms_listener;

/// Begins to tell the listener, which is always the same; each beginning has an end. Not signal-safe.
void ms_accepted_signals_begin(const ms_listener *told);

/// Ends what `ms_accepted_signals_begin` began. Not signal-safe.
void ms_accepted_signals_end(void);

#endif

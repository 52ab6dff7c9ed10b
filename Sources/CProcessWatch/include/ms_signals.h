// Owns every signal disposition that Mainstay ever changes.
#ifndef MAINSTAY_SIGNALS_H
#define MAINSTAY_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is done when a signal comes in, before it is handed on to whom it belonged.
/// Returns true if the signal is dealt with and goes no further.
typedef bool (*ms_signal_action)(int signal, siginfo_t *info, void *context);

/// Puts `action` before whatever handles `signal` now, on the first take of several; a signal that
/// the host ignores is left alone (false). Not signal-safe.
bool ms_signal_take(int signal, ms_signal_action action);

/// Undoes one take; the last gives the signal back if nobody has taken it over meanwhile.
/// Not signal-safe.
void ms_signal_give_back(int signal);

#ifdef __cplusplus
}
#endif
#endif

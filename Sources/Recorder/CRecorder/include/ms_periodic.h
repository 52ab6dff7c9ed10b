// Runs all periodic checks of the process on one thread, to save wake-ups.
#ifndef MAINSTAY_PERIODIC_H
#define MAINSTAY_PERIODIC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Registers `look`, which runs at each check on one thread at a time, and `left_alone`, which runs when no thread
/// makes checks any more. Cannot be undone.
void ms_periodic_join(void (*look)(void), void (*left_alone)(void));

/// Returns true if a thread makes the checks.
bool ms_periodic_runs(void);

// Called by the checking thread only.
void ms_periodic_begin(void);
void ms_periodic_run(void);
void ms_periodic_end(void);

/// The checking thread's wait until its next check.
typedef struct {
  uint64_t began;     ///< CLOCK_MONOTONIC in nanoseconds
  uint64_t due;       ///< the intended end of the wait
  uint64_t switches;  ///< the thread's voluntary context switches before the wait
} ms_periodic_wait;

/// Begins a wait for `nanoseconds` that consists of one system call. The thread does nothing else until
/// `ms_periodic_wait_end`.
ms_periodic_wait ms_periodic_wait_begin(uint64_t nanoseconds);

/// Ends the wait. Returns true if the process was stopped during the wait (SIGSTOP, a debugger, a cgroup's freezer),
/// if a signal handler ran on this thread, or if the wait took half a second longer than intended.
bool ms_periodic_wait_end(ms_periodic_wait wait);

/// Returns the nanoseconds since `since` (CLOCK_MONOTONIC) in which the process may have been stopped: complete waits
/// between two checks. 0 if no thread makes checks. Signal safety: safe.
uint64_t ms_periodic_stopped(uint64_t since);

#ifdef __cplusplus
}
#endif
#endif

// One thread makes all periodic checks of the process, because a single wake-up is enough.
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

/// True if looks are being made.
bool ms_periodic_runs(void);

// For the looking thread.
void ms_periodic_begin(void);
void ms_periodic_run(void);
void ms_periodic_end(void);

/// The looking thread's wait for its next look.
typedef struct {
  uint64_t began;     ///< CLOCK_MONOTONIC in nanoseconds
  uint64_t due;       ///< when it is to end
  uint64_t switches;  ///< the thread's voluntary context switches before the wait
} ms_periodic_wait;

/// Begins a wait for `nanoseconds` that consists of one system call. The thread does nothing else until
/// `ms_periodic_wait_end`.
ms_periodic_wait ms_periodic_wait_begin(uint64_t nanoseconds);

/// Ends the wait. Returns true if the process was stopped meanwhile (SIGSTOP, a debugger, a cgroup's freezer), if a
/// signal's handler ran on this thread, or if the wait took half a second longer than it was to.
bool ms_periodic_wait_end(ms_periodic_wait wait);

/// The nanoseconds since `since` (CLOCK_MONOTONIC) in which the process may have been stopped: whole waits between
/// two checks. 0 if no thread makes checks. Signal safety: safe.
uint64_t ms_periodic_stopped(uint64_t since);

#ifdef __cplusplus
}
#endif
#endif

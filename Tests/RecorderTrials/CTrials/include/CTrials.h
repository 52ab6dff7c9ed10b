// What a host may do to its recorder and Swift has no words for.
#ifndef MAINSTAY_CTRIALS_H
#define MAINSTAY_CTRIALS_H

#include <stdint.h>
#include <sys/types.h>

/// Each line of standard output is written at once.
void ms_trial_unbuffer(void);

/// fork(2) by way of libc, with its handlers.
pid_t ms_trial_fork(void);

/// A new process by the system call alone: libc's fork handlers do not run.
pid_t ms_trial_clone(void);

/// How a host may ask for a signal.
typedef enum {
  MS_TRIAL_PLAIN = 0,
  MS_TRIAL_SIGINFO = 1,
  MS_TRIAL_ONCE = 2,     ///< SA_RESETHAND
  MS_TRIAL_CHAINED = 4,  ///< hands on to whatever stood there before
} ms_trial_handler;

/// Installs a handler that writes a line about each signal to standard output.
void ms_trial_handle(int signal, int how);

/// How many signals that handler has seen.
int ms_trial_handled(void);

/// Blocks a signal on this thread and on those that it starts.
void ms_trial_block(int signal);

/// Takes a blocked signal from the kernel, for ever, and writes "fired" for each: by `sigwait`,
/// `sigwaitinfo`, `sigtimedwait` or `signalfd`.
void ms_trial_wait(int signal, const char *way);

/// Touches memory behind the end of a mapped file of this process's own: SIGBUS.
void ms_trial_bus_error(void);

/// As above; the handler that `ms_trial_handle_bus` installed lets the process go on. 1 if it ran.
int ms_trial_survive_bus_error(void);
void ms_trial_handle_bus(void);

/// Runs `body` on a thread of its own, and again in a destructor of that thread's.
void ms_trial_in_thread_destructor(void (*body)(void));

/// Calls `body` on `at_once` new threads (1,024 at most), which all live until the last of them has
/// been through it; and again, `rounds` times. Returns how many threads that were.
int ms_trial_threads(int rounds, int at_once, void (*body)(void));

/// Calls the function `name` of a library, which calls `body` in turn.
void ms_trial_call(void *function, void (*body)(void));

/// How often this program asked for a file, or a directory, to be synced.
int ms_trial_file_syncs(void);
int ms_trial_directory_syncs(void);

/// From now on the disk takes nothing any more: EIO.
void ms_trial_refuse_syncs(void);

#endif

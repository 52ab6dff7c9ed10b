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

/// All signals, on this thread, as servers do that wait for them with `sigwait`.
void ms_trial_block_all_signals(void);

/// Sends this process a signal and waits for it with `sigtimedwait`; -1 if it does not come.
int ms_trial_wait_for_own(int signal);

/// Closes all descriptors from `first` on, as daemons do.
void ms_trial_close_descriptors(int first);

/// How many descriptors are open.
int ms_trial_descriptors(void);

/// Opens files of the host's own beside `path`; later, whether all are open and hold what they held.
void ms_trial_open_files(const char *path);
int ms_trial_files_as_they_were(const char *path);

int ms_trial_limit_file_size(unsigned long bytes);

/// Lets the address space grow by so many more bytes.
int ms_trial_limit_address_space(unsigned long more);

/// Locks all memory, also what is mapped later; how much is locked.
int ms_trial_lock_memory(void);
long ms_trial_locked_kibibytes(void);

/// Runs `body` on a thread that was asked to end before. Whether it was cancelled.
int ms_trial_run_cancelled(void (*body)(void));

/// Runs `body` on `count` threads, one after the other, and in each again in a destructor of a key
/// that is called in every round that there is.
void ms_trial_threads_with_destructors(int count, void (*body)(void));

/// How often this program asked for a file, or a directory, to be synced.
int ms_trial_file_syncs(void);
int ms_trial_directory_syncs(void);

/// From now on the disk takes nothing any more: EIO.
void ms_trial_refuse_syncs(void);

#endif

// Records lifecycle crumbs for events of the process: signals, its end, memory pressure.
#ifndef MAINSTAY_WATCH_H
#define MAINSTAY_WATCH_H

#include "ms_log_open.h"
#include "ms_run_ending.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The events that are recorded as lifecycle crumbs.
typedef enum {
  MS_WATCH_TERMINATION = 1,  ///< SIGTERM, SIGINT, SIGHUP
  MS_WATCH_SUSPENSION = 2,   ///< SIGTSTP, SIGCONT
  MS_WATCH_EXIT = 4,         ///< exit(3) and the return of main
  MS_WATCH_WAITED = 8,       ///< also signals accepted by `sigwait` and the like; changes import tables
} ms_watched;

/// Starts to watch for this log: the chosen events, and SIGBUS in the log's own memory. Not signal-safe.
void ms_watch_begin(ms_log *log, unsigned watched);

/// Adds `MS_WATCH_WAITED` to the events of a log that watches signals. Has no effect on other logs. Not signal-safe.
void ms_watch_accepted(ms_log *log);

/// Records that the host's own code received `signal` as a request to terminate; once for each signal, and only for
/// SIGTERM, SIGINT and SIGHUP. Signal safety: as `ms_log_enter`.
void ms_watch_note_termination(ms_log *log, int signal);

/// Undoes `ms_watch_begin`. Not signal-safe.
void ms_watch_end(ms_log *log);

/// Receives the messages that Swift's runtime writes to standard error and does not keep, such as a misused
/// continuation or a failed executor check, on the thread that writes the message, before the message is written.
typedef void (*ms_runtime_listener)(const char *text);

/// Registers the listener; each call needs an `ms_runtime_words_end`. Has no effect if the runtime is linked into the
/// program, because its calls do not go through an import table. Not signal-safe.
void ms_runtime_words_begin(ms_runtime_listener heard);

/// Undoes `ms_runtime_words_begin`. Not signal-safe.
void ms_runtime_words_end(void);

/// Returns the address of the standard library's last message before it ends the process. Not signal-safe.
const char **ms_runtime_said(void);

/// Returns the runtime's last message on this thread, after which the runtime ends the process; NULL if none. Signal
/// safety: safe.
const char *ms_runtime_last_words(uint32_t thread);

/// Returns true if `text` is the runtime's last message and the process continued after it. Signal safety: safe.
bool ms_runtime_only_complained(const char *text);

/// Lets handlers of SIGABRT run for an abort on threads that Dispatch creates afterwards, if the C library would not
/// call them. Not signal-safe.
void ms_aborts_begin(void);

/// Undoes `ms_aborts_begin`. Not signal-safe.
void ms_aborts_end(void);

/// Records a lifecycle crumb without a stack. Signal safety: as `ms_log_enter`.
void ms_lifecycle_note(ms_log *log, const char *event);

/// Writes into the header how the run of the replaced log ended. Not signal-safe.
void ms_previous_run_tell(ms_log *log, uint64_t salt, uint64_t ending);

/// Records a lifecycle crumb about the ending of an earlier run: the process, the signal (0: none) and the certainty.
/// Signal safety: as `ms_log_enter`.
void ms_previous_run_note(ms_log *log, const char *ending, const char *certainty, int process,
                          int signal);

/// A thread that records a crumb whenever the kernel reports a lack of memory.
typedef struct ms_pressure ms_pressure;

/// The sources of reports about a lack of memory: the files of this process's cgroup, or the system's. NULL for a
/// missing file.
typedef struct {
  const char *stall;   ///< memory.pressure: accepts a trigger and reports by POLLPRI
  const char *events;  ///< memory.events: changes when a limit is reached
} ms_pressure_files;

/// Starts to watch; returns NULL if no source can be watched. Not signal-safe.
ms_pressure *ms_pressure_begin(ms_log *log, const ms_pressure_files *files);

/// Finds the files to watch; the paths stay valid as long as the process. Not signal-safe.
ms_pressure_files ms_pressure_find_files(void);

/// Returns the file in which this process's cgroup counts, in a line that begins with `oom_kill`, the
/// processes that were killed for lack of memory; NULL if none exists. Not signal-safe.
const char *ms_oom_kills_file(void);

/// Returns the current counters of this process's cgroup. Not signal-safe.
ms_oom_sight ms_oom_look(void);

/// Records the counters at the beginning of the run. Not signal-safe.
void ms_oom_note(ms_log *log);

/// Stops and frees the thread. Not signal-safe.
void ms_pressure_end(ms_pressure *pressure);

#ifdef __cplusplus
}
#endif
#endif

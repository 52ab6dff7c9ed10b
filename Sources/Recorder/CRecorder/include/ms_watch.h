// Writes lifecycle crumbs for events of the process: signals, its end, memory pressure.
#ifndef MAINSTAY_WATCH_H
#define MAINSTAY_WATCH_H

#include "ms_log_open.h"
#include "ms_run_ending.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The signals that write a lifecycle crumb.
typedef enum {
  MS_WATCH_TERMINATION = 1,  ///< SIGTERM, SIGINT, SIGHUP
  MS_WATCH_SUSPENSION = 2,   ///< SIGTSTP, SIGCONT
  MS_WATCH_EXIT = 4,         ///< exit(3) and the return of main
  MS_WATCH_WAITED = 8,       ///< of the signals above those that no handler sees: changes import tables
} ms_watched;

/// Watches for this log: the chosen signals, and SIGBUS in the log's own memory.
/// Not signal-safe.
void ms_watch_begin(ms_log *log, unsigned watched);

/// Notes that `signal` has asked the process to end, as its own code has found; once for each signal, and only of
/// SIGTERM, SIGINT and SIGHUP. Signal safety: as `ms_log_enter`.
void ms_watch_note_termination(ms_log *log, int signal);

/// Ends what `ms_watch_begin` began. Not signal-safe.
void ms_watch_end(ms_log *log);

/// Receives the messages of Swift's runtime that it writes to standard error and does not keep, such as a misused
/// continuation or a failed executor check. Called on the thread that writes the message, before it is written.
typedef void (*ms_runtime_listener)(const char *text);

/// Registers the listener; each call needs an `ms_runtime_words_end`. Has no effect if the runtime is linked into the
/// program, because its calls do not go through an import table. Not signal-safe.
void ms_runtime_words_begin(ms_runtime_listener heard);

/// Ends what `ms_runtime_words_begin` began. Not signal-safe.
void ms_runtime_words_end(void);

/// The address of the last message of the standard library before it ends the process. Not signal-safe.
const char **ms_runtime_said(void);

/// The last message of the runtime on this thread, after which the runtime ends the process; NULL if none. Signal
/// safety: safe.
const char *ms_runtime_last_words(uint32_t thread);

/// True if `text` is the last message of the runtime, after which the process continued. Signal safety: safe.
bool ms_runtime_only_complained(const char *text);

/// Lets handlers of SIGABRT run for an abort on threads that Dispatch creates from now on, if the C library would not
/// call them. Not signal-safe.
void ms_aborts_begin(void);

/// Ends what `ms_aborts_begin` began. Not signal-safe.
void ms_aborts_end(void);

/// Leaves a lifecycle crumb without a stack. Signal safety: as `ms_log_enter`.
void ms_lifecycle_note(ms_log *log, const char *event);

/// Writes into the header how the run ended whose log this one has replaced. Not signal-safe.
void ms_previous_run_tell(ms_log *log, uint64_t salt, uint64_t ending);

/// Records a lifecycle crumb about the ending of an earlier run: the process, the signal (0: none) and the certainty.
/// Signal safety: as `ms_log_enter`.
void ms_previous_run_note(ms_log *log, const char *ending, const char *certainty, int process,
                          int signal);

/// A thread that leaves a crumb whenever the kernel reports a lack of memory.
typedef struct ms_pressure ms_pressure;

/// The sources of such reports: the files of this process's control group, or the system's. NULL for a missing file.
typedef struct {
  const char *stall;   ///< takes a trigger and reports by POLLPRI: memory.pressure
  const char *events;  ///< changes when a limit is met: memory.events
} ms_pressure_files;

/// Begins to watch; NULL if nothing can be watched. Not signal-safe.
ms_pressure *ms_pressure_begin(ms_log *log, const ms_pressure_files *files);

/// Finds the files to watch; the texts live as long as the process. Not signal-safe.
ms_pressure_files ms_pressure_find_files(void);

/// The file in which this process's control group counts, in a line that begins with `oom_kill`, how
/// many processes were killed for lack of memory; NULL if none exists. Not signal-safe.
const char *ms_oom_kills_file(void);

/// The current counters of this process's control group. Not signal-safe.
ms_oom_sight ms_oom_look(void);

/// Records the counters at the beginning of the run. Not signal-safe.
void ms_oom_note(ms_log *log);

/// Ends the thread. Not signal-safe.
void ms_pressure_end(ms_pressure *pressure);

#ifdef __cplusplus
}
#endif
#endif

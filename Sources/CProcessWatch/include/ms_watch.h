// Leaves lifecycle crumbs for what happens to the process: signals, its end, a lack of memory.
#ifndef MAINSTAY_WATCH_H
#define MAINSTAY_WATCH_H

#include "CBreadcrumbLog.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which signals leave a lifecycle crumb.
typedef enum {
  MS_WATCH_TERMINATION = 1,  ///< SIGTERM, SIGINT, SIGHUP
  MS_WATCH_SUSPENSION = 2,   ///< SIGTSTP, SIGCONT
  MS_WATCH_EXIT = 4,         ///< exit(3) and the return of main
} ms_watched;

/// Watches for this log: the chosen signals, and SIGBUS in the log's own memory.
/// Not signal-safe.
void ms_watch_begin(ms_log *log, unsigned watched);

/// Ends what `ms_watch_begin` began. Not signal-safe.
void ms_watch_end(ms_log *log);

/// Leaves a lifecycle crumb without a stack. Signal safety: as `ms_log_enter`.
void ms_lifecycle_note(ms_log *log, const char *event);

/// A thread that leaves a crumb whenever the kernel reports a lack of memory.
typedef struct ms_pressure ms_pressure;

/// Where such reports come from: the files of this process's control group, or the system's.
/// NULL for a file that is not there.
typedef struct {
  const char *stall;   ///< takes a trigger and reports by POLLPRI: memory.pressure
  const char *events;  ///< changes when a limit is met: memory.events
} ms_pressure_files;

/// Begins to watch; NULL where nothing can be watched. Not signal-safe.
ms_pressure *ms_pressure_begin(ms_log *log, const ms_pressure_files *files);

/// Finds the files to watch; the texts live as long as the process. Not signal-safe.
ms_pressure_files ms_pressure_find_files(void);

/// The file in which this process's control group counts, in a line that begins with `oom_kill`, how
/// many processes were killed for lack of memory; NULL if there is none. Not signal-safe.
const char *ms_oom_kills_file(void);

/// Ends the thread. Not signal-safe.
void ms_pressure_end(ms_pressure *pressure);

#ifdef __cplusplus
}
#endif
#endif

// Opens, syncs and closes a log.
#ifndef MAINSTAY_LOG_OPEN_H
#define MAINSTAY_LOG_OPEN_H

#include <pthread.h>

#include "ms_log_format.h"
#include "ms_process.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_log ms_log;

/// The reason why a log could not be opened; `ms_log_failure` has the details.
typedef enum {
  MS_OPEN_OK = 0,
  MS_OPEN_CAPACITY_TOO_SMALL,  ///< detail: the smallest valid capacity
  MS_OPEN_CAPACITY_TOO_LARGE,  ///< detail: the largest valid capacity
  MS_OPEN_NO_DIRECTORY,        ///< the directory cannot be opened
  MS_OPEN_NOT_REGULAR,         ///< the path is not a regular file
  MS_OPEN_NOT_A_LOG,           ///< the path is a file that no recorder wrote
  MS_OPEN_IN_USE,              ///< detail: the id of the process that writes the log, 0 if unknown
  MS_OPEN_CANNOT_CREATE,
  MS_OPEN_CANNOT_RESERVE,      ///< no space could be reserved: a full disk, a quota, a limit
  MS_OPEN_CANNOT_MAP,
  MS_OPEN_CANNOT_KEEP,         ///< an earlier log could not be renamed
  MS_OPEN_TOO_MANY,            ///< this process has too many logs open
} ms_open_result;

typedef struct {
  ms_open_result result;
  int error_number;
  uint64_t detail;
} ms_log_failure;

typedef struct {
  const char *path;  ///< NULL: no file, only memory of this process
  uint64_t capacity;
  uint32_t keep;  ///< the number of earlier logs to keep
  bool survives_machine;  ///< flushes the file's directory entry to disk before opening returns
  /// The release and environment of the host; NULL or empty if unknown.
  const char *release;
  const char *environment;
} ms_log_options;

/// Opens a log for this process. Renames the log of an earlier run at `path` if `keep` is not 0. Returns NULL on
/// failure, with the reason in `failure`. Not signal-safe.
ms_log *ms_log_open(const ms_log_options *options, ms_log_failure *failure);

/// Returns a log that discards all records, like a closed one, for use when none can be opened. Signal safety: safe.
ms_log *ms_log_nowhere(void);

/// Writes the table of facts into the header: when the log is opened, and when further facts are known. Signal
/// safety: safe.
void ms_log_note_facts(ms_log *log);

/// Flushes the log to the disk. Returns false if the disk reported an error (errno). Not signal-safe.
bool ms_log_sync(ms_log *log);

/// Keeps a copy of the program beside its log at `path`, in the folder `PROGRAM.builds` with the build id as the name,
/// so that frames can be symbolicated after a rebuild. Keeps copies of at most as many other builds as earlier logs,
/// and removes those that were not used for the longest time. Does nothing for a program without a build id and for a
/// log in memory. Not signal-safe.
void ms_log_keep_program(ms_log *log, const char *path);

/// Marks the run as cleanly ended, unless the caller runs inside the handler of this thread's open fault. Recording
/// continues, because the process may still crash. Signal safety: safe.
void ms_log_mark_clean(ms_log *log);

/// Ends the log, flushes it to the disk, and releases the file, its lock and its memory except for one page. Records
/// of threads that are still inside a bracket are discarded; while such threads exist, anonymous memory of the same
/// size remains. Returns false if the disk reported an error (errno). Not signal-safe.
bool ms_log_close(ms_log *log);

/// Returns true if the log accepts crumbs: it is open, and the calling process is not a forked child. Signal safety:
/// safe.
bool ms_log_is_recording(const ms_log *log);

/// The numbers of crumbs that a log has recorded and lost.
typedef struct {
  uint64_t crumbs;   ///< recorded crumbs
  uint64_t dropped;  ///< crumbs that were lost for lack of space
} ms_log_counts;

/// Returns the counts so far. Crumbs of a thread that is just ending may be missing.
ms_log_counts ms_log_counts_of(const ms_log *log);

typedef enum {
  MS_REPAIR_NONE,   ///< the fault is not in a log, or cannot be repaired
  MS_REPAIR_FIRST,  ///< repaired, and recording was stopped
  MS_REPAIR_AGAIN,  ///< repaired; recording was already stopped, because several threads fault at once
} ms_repair;

/// Repairs the mapping of an open log whose file was truncated, if `address` is inside the mapping: replaces it by
/// anonymous memory, and stops recording. Signal safety: safe (system calls only).
ms_repair ms_log_repair_mapping(const void *address);

/// Returns true if the host had SIGBUS blocked on this thread when the thread first recorded. Marks the signal as
/// blocked by the host again; the caller must block the signal. Signal safety: safe.
bool ms_thread_take_back_bus_error(void);

/// Disables thread cancellation until `ms_end_uncancellable`: a thread that is cancelled while it opens, syncs or
/// closes a log would leak locks, descriptors and memory. Not signal-safe.
static inline int ms_begin_uncancellable(void) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return state;
}

static inline void ms_end_uncancellable(int state) { pthread_setcancelstate(state, NULL); }

/// Records modules that were loaded since the last call. Not signal-safe.
void ms_log_list_modules(ms_log *log);

#ifdef __cplusplus
}
#endif
#endif

// Opening, syncing and closing a log.
#ifndef MAINSTAY_LOG_OPEN_H
#define MAINSTAY_LOG_OPEN_H

#include <pthread.h>

#include "ms_log_format.h"
#include "ms_process.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ms_log ms_log;

/// Why a log could not be opened; `ms_log_failure` says the rest.
typedef enum {
  MS_OPEN_OK = 0,
  MS_OPEN_CAPACITY_TOO_SMALL,  ///< detail: the smallest that will do
  MS_OPEN_CAPACITY_TOO_LARGE,  ///< detail: the largest that will do
  MS_OPEN_NO_DIRECTORY,        ///< the directory cannot be opened
  MS_OPEN_NOT_REGULAR,         ///< something that is no plain file stands at the path
  MS_OPEN_NOT_A_LOG,           ///< a file that no recorder wrote stands at the path
  MS_OPEN_IN_USE,              ///< detail: the process that writes it, 0 if unknown
  MS_OPEN_CANNOT_CREATE,
  MS_OPEN_CANNOT_RESERVE,      ///< the blocks could not be reserved: a full disk, a quota, a limit
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
  const char *path;  ///< NULL: no file, memory of this process
  uint64_t capacity;
  uint32_t keep;  ///< how many earlier logs are kept
  bool survives_machine;  ///< the file's name is to be on disk before this returns
  /// The release and environment of the host; NULL or empty if unknown.
  const char *release;
  const char *environment;
} ms_log_options;

/// Opens a log of this process's own, keeping the one that an earlier run left at `path`.
/// NULL on failure, with `failure` filled. Not signal-safe.
ms_log *ms_log_open(const ms_log_options *options, ms_log_failure *failure);

/// A log that discards all records, like a closed one: for a caller that needs a log when none can be opened. Signal
/// safety: safe.
ms_log *ms_log_nowhere(void);

/// Writes the table of facts into the header: when the log is opened, and when more is known.
/// Signal safety: safe.
void ms_log_note_facts(ms_log *log);

/// Writes the log to the disk. Not signal-safe. False if the disk refused (errno).
bool ms_log_sync(ms_log *log);

/// Marks the run as cleanly ended, unless it is ended by the handler of a fault that this thread met.
/// Recording goes on: until the process is gone it may still crash. Signal safety: safe.
void ms_log_mark_clean(ms_log *log);

/// Ends the log, flushes it to the disk, and releases the file, its lock and its memory except for one page. Records
/// of threads that are still inside a bracket are discarded; while such threads exist, anonymous memory of the same
/// size remains. Returns false if the disk reported an error (errno). Not signal-safe.
bool ms_log_close(ms_log *log);

/// Whether crumbs are taken: open, and not in a forked child. Signal safety: safe.
bool ms_log_is_recording(const ms_log *log);

/// How much a log was given.
typedef struct {
  uint64_t crumbs;   ///< that were left
  uint64_t dropped;  ///< for which there was no room
} ms_log_counts;

/// How much it was given so far; crumbs of a thread that is about to leave it may be missing.
ms_log_counts ms_log_counts_of(const ms_log *log);

typedef enum {
  MS_REPAIR_NONE,   ///< the fault was none of ours, or cannot be repaired
  MS_REPAIR_FIRST,  ///< repaired, and recording has stopped by it
  MS_REPAIR_AGAIN,  ///< repaired, and recording had stopped before: several threads fault at once
} ms_repair;

/// If `address` lies in the mapping of an open log whose file was cut short: puts memory in its
/// place and stops recording. Signal safety: safe (system calls only).
ms_repair ms_log_repair_mapping(const void *address);

/// True if the host had SIGBUS blocked on this thread when the thread first recorded. The call marks the signal as
/// blocked by the host again, and the caller blocks it. Signal safety: safe.
bool ms_thread_take_back_bus_error(void);

/// Nothing between the two is a cancellation point: a thread that was cancelled while it opens, syncs
/// or closes a log would leave locks, descriptors and memory behind. Not signal-safe.
static inline int ms_begin_uncancellable(void) {
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return state;
}

static inline void ms_end_uncancellable(int state) { pthread_setcancelstate(state, NULL); }

/// Writes down modules that were loaded since the last look. Not signal-safe.
void ms_log_list_modules(ms_log *log);

#ifdef __cplusplus
}
#endif
#endif

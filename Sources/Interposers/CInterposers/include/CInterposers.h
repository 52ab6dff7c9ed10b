// Reports calls that block a thread of Swift's pool, of an event loop or of the main queue.
#ifndef MAINSTAY_CINTERPOSERS_H
#define MAINSTAY_CINTERPOSERS_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The executors whose threads are watched.
typedef enum {
  MS_BLOCKING_POOL = 1,
  MS_BLOCKING_MAIN_QUEUE = 2,
  MS_BLOCKING_EVENT_LOOPS = 4,  ///< recognized by the names of threads (`ms_loop_threads_add`): a guess
} ms_blocking_places;

/// The effects of a finding.
typedef enum {
  MS_BLOCKING_RECORDS = 1,  ///< records a crumb
  MS_BLOCKING_LOGS = 2,     ///< writes a line to standard error
  MS_BLOCKING_TRAPS = 4,    ///< writes that line, and ends the process
} ms_blocking_policy;

typedef struct {
  uint32_t places;    ///< ms_blocking_places
  uint32_t policies;  ///< ms_blocking_policy
  uint64_t threshold_ns;
  ms_log *log;  ///< the log for crumbs; NULL: no crumbs
  void (*note)(ms_log *log, const ms_blocking_finding *finding);  ///< records a finding, as `ms_blocking_note` does
} ms_blocking_request;

/// Starts to report calls that take at least the requested time, and replaces earlier requests. Returns false, with a
/// reason, if the C library is not interposed. Not signal-safe.
bool ms_blocking_begin(const ms_blocking_request *request, const char **reason);

/// Stops watching. A crumb that is being written is still completed. Not signal-safe.
void ms_blocking_end(void);

/// Allows calls of this thread until the matching call of `ms_blocking_forbid`; pairs may nest. Signal safety: safe.
void ms_blocking_allow(void);
void ms_blocking_forbid(void);

/// Allows a function of the C library, such as `nanosleep`, or all calls with a library on the stack, such as
/// `libpq.so`. The text must stay valid. Returns false if the list is full. Signal safety: safe.
bool ms_blocking_allow_call(const char *call);
bool ms_blocking_allow_library(const char *name);

// --- Findings, for tests

enum { MS_BLOCKING_KEPT_FRAMES = 48 };

typedef struct {
  const char *call;
  const char *executor;
  uint64_t nanoseconds;
  uint32_t frame_count;
  uintptr_t frames[MS_BLOCKING_KEPT_FRAMES];
} ms_blocking_kept;

/// The number of findings so far, reported or not. Signal safety: safe.
uint64_t ms_blocking_count(void);

/// Copies the finding of this number, from 0; returns false if the finding is no longer retained. Signal safety:
/// safe.
bool ms_blocking_copy(uint64_t number, ms_blocking_kept *finding);

#ifdef __cplusplus
}
#endif
#endif

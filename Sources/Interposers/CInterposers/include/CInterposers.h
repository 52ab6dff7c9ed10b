// Reports calls that block a thread of Swift's pool, of an event loop or of the main queue.
//
#ifndef MAINSTAY_CINTERPOSERS_H
#define MAINSTAY_CINTERPOSERS_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The threads that are watched.
typedef enum {
  MS_BLOCKING_POOL = 1,
  MS_BLOCKING_MAIN_QUEUE = 2,
  MS_BLOCKING_EVENT_LOOPS = 4,  ///< by the names of threads (`ms_loop_threads_add`): a guess
} ms_blocking_places;

/// The effects of a finding.
typedef enum {
  MS_BLOCKING_RECORDS = 1,  ///< a crumb
  MS_BLOCKING_LOGS = 2,     ///< a line on standard error
  MS_BLOCKING_TRAPS = 4,    ///< ends the process, with that line
} ms_blocking_policy;

typedef struct {
  uint32_t places;    ///< ms_blocking_places
  uint32_t policies;  ///< ms_blocking_policy
  uint64_t threshold_ns;
  ms_log *log;  ///< where crumbs go; NULL: nowhere
  void (*note)(ms_log *log, const ms_blocking_finding *finding);  ///< how; `ms_blocking_note`, or a host's own
} ms_blocking_request;

/// Starts to report calls that take at least the requested time, and replaces earlier requests. Returns false, with a
/// reason, if the C library is not interposed. Not signal-safe.
bool ms_blocking_begin(const ms_blocking_request *request, const char **reason);

/// Stops watching. Crumbs that are being written are still completed. Not signal-safe.
void ms_blocking_end(void);

/// Allows calls of this thread until as many calls of `ms_blocking_forbid`. Signal safety: safe.
void ms_blocking_allow(void);
void ms_blocking_forbid(void);

/// Findings of this function of the C library, or with this library on the stack, are none: `nanosleep`,
/// `libpq.so`. The text is kept, and must stay. False if there are too many. Signal safety: safe.
bool ms_blocking_allow_call(const char *call);
bool ms_blocking_allow_library(const char *name);

// --- What was found, for tests

enum { MS_BLOCKING_KEPT_FRAMES = 48 };

/// A finding that was kept.
typedef struct {
  const char *call;
  const char *executor;
  uint64_t nanoseconds;
  uint32_t frame_count;
  uintptr_t frames[MS_BLOCKING_KEPT_FRAMES];
} ms_blocking_kept;

/// How many findings there were so far, whether or not they were told. Signal safety: safe.
uint64_t ms_blocking_count(void);

/// The finding of this number, from 0; false if it is not kept any more. Signal safety: safe.
bool ms_blocking_copy(uint64_t number, ms_blocking_kept *finding);

#ifdef __cplusplus
}
#endif
#endif

// Crumbs about calls that blocked a thread needed by other work.
#ifndef MAINSTAY_BLOCKING_CRUMBS_H
#define MAINSTAY_BLOCKING_CRUMBS_H

#include <stdint.h>

#include "ms_log_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A call that took too long.
typedef struct {
  const char *call;
  const char *executor;  ///< the owner of the thread, as named in ms_log_words.h
  uint64_t nanoseconds;
  const uintptr_t *frames;  ///< return addresses, beginning with the caller's; in a task, followed by the async callers
  uint32_t frame_count;
  uint32_t walk_end;
  uint32_t thread;  ///< the kernel's id if the thread is still in the call; 0: the calling thread, afterwards
  const char *thread_name;
} ms_blocking_finding;

/// Records the crumb of a finding at the current time. Signal safety: as `ms_log_enter`.
void ms_blocking_note(ms_log *log, const ms_blocking_finding *finding);

/// The function of a preloaded library to which `ms_blocking_offer` passes the log. The number in its name changes
/// with the layout of its arguments, because the library and the program may have different versions. If no preloaded
/// library has the function, the log receives no findings.
typedef void (*ms_blocking_taker)(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *));
#define MS_BLOCKING_TAKER "mainstay_blocking_taker_2"

#ifdef __cplusplus
}
#endif
#endif

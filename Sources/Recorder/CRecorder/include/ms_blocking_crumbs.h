// Crumbs of calls that blocked a thread which others need.
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
  const char *executor;  ///< whose thread it was, in the words of ms_log_words.h
  uint64_t nanoseconds;
  const uintptr_t *frames;  ///< return addresses, from who called; in a task, then its async callers
  uint32_t frame_count;
  uint32_t walk_end;
  uint32_t thread;  ///< the kernel's id, of a thread that is still in the call; 0: this one, and it has come back
  const char *thread_name;
} ms_blocking_finding;

/// Leaves the crumb of a finding, just now. Signal safety: as `ms_log_enter`.
void ms_blocking_note(ms_log *log, const ms_blocking_finding *finding);

/// The function of a preloaded library that `ms_blocking_offer` calls. The number in its name changes with the layout
/// of its arguments, because the library and the program may have different versions. Without such a function, the
/// log takes no findings.
typedef void (*ms_blocking_taker)(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *));
#define MS_BLOCKING_TAKER "mainstay_blocking_taker_2"

#ifdef __cplusplus
}
#endif
#endif

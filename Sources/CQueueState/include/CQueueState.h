// Which queue this thread is on: exactly, without trapping, by loads alone.
//
// Signal safety: every function here but `ms_queue_start` may be called from a signal handler.
#ifndef MAINSTAY_CQUEUESTATE_H
#define MAINSTAY_CQUEUESTATE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a thread is: what a breadcrumb is stamped with.
typedef struct {
  uint64_t serial;    ///< the queue's serial number, never reused; 0 on a thread outside Dispatch
  const char *label;  ///< lives as long as the queue; NULL where there is none
  uint32_t thread;    ///< the kernel's thread id; 0 where Dispatch has not yet learned it
  bool onMain;        ///< whether main-queue work may run here
} ms_queue_stamp;

/// How the answers of this process are found.
typedef enum {
  MS_QUEUE_UNKNOWN = 0,  ///< not started
  MS_QUEUE_CHAIN = 1,    ///< exported symbols only: `true` can be trusted, `false` means unknown
  MS_QUEUE_EXACT = 2,    ///< libdispatch's own predicate, learned and proved at start
} ms_queue_level;

/// Learns libdispatch's layout and proves it; later calls do nothing. Not signal-safe.
void ms_queue_start(void);

ms_queue_level ms_queue_answer_level(void);

/// Why the level is not exact; NULL where it is.
const char *ms_queue_fallback_reason(void);

/// Whether code that belongs to the main queue may run here.
bool ms_queue_on_main(void);

/// Whether code that belongs to `queue` (a `dispatch_queue_t`) may run here.
bool ms_queue_on(const void *queue);

ms_queue_stamp ms_queue_stamp_here(void);

#ifdef __cplusplus
}
#endif
#endif

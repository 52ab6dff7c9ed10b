// Finds the waiting Swift tasks in the memory of this process.
#ifndef MAINSTAY_TASK_SCAN_H
#define MAINSTAY_TASK_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "memory_map.h"

/// The event that a task waits for; the values are part of the log format.
typedef enum {
  MS_WAITS_FOR_CONTINUATION = 0,
  MS_WAITS_FOR_TASK = 1,
  MS_WAITS_FOR_GROUP = 2,
  MS_WAITS_FOR_EXECUTOR = 3,  // its turn on an actor or on the global pool
  MS_WAIT_KINDS = 4,
} ms_wait_kind;

/// A waiting task, as the runtime stores it.
typedef struct {
  ms_wait_kind kind;
  uint64_t task_id;
  uintptr_t executor;  // the executor for whose turn the task waits; 0: any thread, or another kind of wait
  uintptr_t resume;    // the resume address, if it is not the start of the chain at `context`; else 0
  uintptr_t context;   // the context of the async callers
} ms_waiting_task;

typedef void ms_task_visitor(const ms_waiting_task *task, void *argument);

/// Returns true if tasks can be found: the version of the runtime, the version of its layout of tasks and the size of a
/// task are known, and the kernel copies memory of this process. False without a concurrency runtime. Signal safety:
/// safe.
bool ms_tasks_are_known(void);

/// Visits each waiting task, for at most `limit_ns` nanoseconds; call it only if `ms_tasks_are_known`. `walk->recover` is
/// up to the caller, and `walk->unread` is the number of bytes that were not searched. Returns false if the memory of the process is unknown. Signal
/// safety: safe, if `visit` is.
bool ms_tasks_visit(ms_memory_walk *walk, uint64_t limit_ns, ms_task_visitor *visit, void *argument);

#endif

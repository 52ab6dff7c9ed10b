// The learned layout of the runtime's record of a waiting task.
#ifndef MAINSTAY_WAIT_LAYOUT_H
#define MAINSTAY_WAIT_LAYOUT_H

#include "ms_waiting.h"

/// Offsets in a task, and in the record of its wait. All offsets are 0 until the layout is learned.
typedef struct {
  uint32_t local;    // offset of the pointer that the runtime passes when a task leaves its thread
  uint32_t resume;   // offset of the resume address
  uint32_t context;  // offset of the context with which the task resumes
  uint32_t record;
  uint32_t subject, waiter, kind;  // offsets in the record
  uint32_t kinds[MS_WAIT_KINDS];   // the values at offset `kind`
} ms_waiting_layout;

/// The layout that was learned last; complete if `ms_waiting_is_learned`.
extern ms_waiting_layout ms_waiting_learned __attribute__((visibility("hidden")));
bool ms_waiting_is_learned(void) __attribute__((visibility("hidden")));

/// The pointer that the runtime passed when the learned task left its thread.
extern uintptr_t ms_waiting_last_local __attribute__((visibility("hidden")));

/// The runtime's function that returns the id of a task; NULL without this runtime. Signal safety: safe.
extern __attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

#endif

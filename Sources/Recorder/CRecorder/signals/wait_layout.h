// The learned layout of the runtime's record of a waiting task.
#ifndef MAINSTAY_WAIT_LAYOUT_H
#define MAINSTAY_WAIT_LAYOUT_H

#include "ms_waiting.h"

/// Offsets in a task, and in the record of its wait. All 0 before they are learned.
typedef struct {
  uint32_t local;    // of what the runtime hands over when a task goes off its thread
  uint32_t resume;   // of where it goes on
  uint32_t context;  // and with which context
  uint32_t record;
  uint32_t subject, waiter, kind;  // in the record
  uint32_t kinds[MS_WAIT_KINDS];   // what stands there
} ms_waiting_layout;

/// As learned last; whole where `ms_waiting_is_learned`.
extern ms_waiting_layout ms_waiting_learned __attribute__((visibility("hidden")));
bool ms_waiting_is_learned(void) __attribute__((visibility("hidden")));

/// The value that the runtime passed when the learned task left its thread.
extern uintptr_t ms_waiting_last_local __attribute__((visibility("hidden")));

/// The runtime's own, for the id of a task; NULL without that runtime. Signal safety: safe.
extern __attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

#endif

// Finds the executor that a thread serves.
#ifndef MAINSTAY_EXECUTORS_H
#define MAINSTAY_EXECUTORS_H

#include "calls.h"

/// Learns the runtime's offsets. Not signal-safe; allocates.
void ms_executors_start(uint32_t places);

/// The executor of `places` that this thread serves, as MS_WORD_…; NULL if there is no such executor. Signal safety:
/// safe.
const char *ms_executor_needed_here(ms_call_kind kind, uint32_t places);

/// Like `ms_executor_needed_here`, for the thread of a held slot, whose stack is `frames`.
const char *ms_executor_needed_by(const ms_call_slot *slot, uint32_t places, const uintptr_t *frames, uint32_t count);

/// Learns how the stack of a task continues, from the task that waits in the thread of a held slot.
void ms_executors_learn_task_of(const ms_call_slot *slot);

/// Enqueues a block on the main queue of a static program, once, to learn whether the queue runs. Not signal-safe;
/// allocates.
void ms_executors_ask_program(void);

/// True if the process has executors to watch: tasks, or a main queue.
bool ms_executors_exist(void);

/// Learns how the stack of a task continues, from the task that waits on this thread. Needed in a process without
/// Swift code of ours.
void ms_executors_learn_task(void);

#endif

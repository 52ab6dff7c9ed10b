// Whose thread this is.
#ifndef MAINSTAY_EXECUTORS_H
#define MAINSTAY_EXECUTORS_H

#include "calls.h"

/// Learns the offsets that this needs. Not signal-safe; it allocates.
void ms_executors_start(uint32_t places);

/// The executor of `places` that this thread serves, as MS_WORD_…; NULL for none. Signal safety: safe.
const char *ms_executor_needed_here(ms_call_kind kind, uint32_t places);

/// Like `ms_executor_needed_here`, for the thread of a held slot; with its stack.
const char *ms_executor_needed_by(const ms_call_slot *slot, uint32_t places, const uintptr_t *frames, uint32_t count);

/// Learns from the task that waits in a slot's thread, which is held, how its stack goes on.
void ms_executors_learn_task_of(const ms_call_slot *slot);

/// Asks the main queue of a program with Dispatch in it whether it runs, once. Not signal-safe; it allocates.
void ms_executors_ask_program(void);

/// Whether there is anything in this program that others may need: tasks, or a main queue.
bool ms_executors_exist(void);

/// Learns from the task that waits here how its stack goes on, where no Swift code of ours could teach it.
void ms_executors_learn_task(void);

#endif

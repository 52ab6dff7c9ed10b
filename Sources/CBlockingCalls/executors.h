// Whose thread this is.
#ifndef MAINSTAY_EXECUTORS_H
#define MAINSTAY_EXECUTORS_H

#include "calls.h"

/// Learns what it takes to tell. Not signal-safe; it allocates.
void ms_executors_start(uint32_t places);

/// Which of `places` this thread serves, as MS_WORD_…; NULL for none. Signal safety: safe.
const char *ms_executor_needed_here(ms_call_kind kind, uint32_t places);

/// Learns from the task that waits here how its stack goes on, where no Swift code of ours could teach it.
void ms_executors_learn_task(void);

#endif

// Calls that have not come back.
#ifndef MAINSTAY_OVERDUE_H
#define MAINSTAY_OVERDUE_H

#include "calls.h"

/// Looks about once a second for threads that have been in a call for too long and are in it still. Not signal-safe.
void ms_overdue_begin(void);

// judge.c

/// Judges by this request from now on.
void ms_judge_begins(const ms_blocking_request *request);

extern _Atomic uint32_t ms_places_asked __attribute__((visibility("hidden")));

/// The last `nanoseconds` without the time in which the process may have been stopped.
uint64_t ms_time_without_stops(uint64_t nanoseconds);

/// True if calls of this name, or with this stack, are allowed everywhere.
bool ms_blocking_is_allowed(const char *call, const uintptr_t *frames, uint32_t count);

/// Reports a finding, if this second may have one more; the process is not ended.
void ms_blocking_tell(const ms_blocking_finding *finding);

#endif

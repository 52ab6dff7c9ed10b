// Finds calls that have not returned.
#ifndef MAINSTAY_OVERDUE_H
#define MAINSTAY_OVERDUE_H

#include "calls.h"

/// Starts to check about once per second for threads that are still in a call that takes too long. Not signal-safe.
void ms_overdue_begin(void);

// judge.c

/// Starts to judge calls by this request.
void ms_judge_begins(const ms_blocking_request *request);

extern _Atomic uint32_t ms_places_asked __attribute__((visibility("hidden")));

/// Subtracts from the last `nanoseconds` the time in which the process may have been stopped.
uint64_t ms_time_without_stops(uint64_t nanoseconds);

/// True if calls of this name, or with this stack, are allowed everywhere.
bool ms_blocking_is_allowed(const char *call, const uintptr_t *frames, uint32_t count);

/// Reports a finding, unless the limit of this second is reached. The trap policy ends the process only for a call
/// that has returned.
void ms_blocking_tell(const ms_blocking_finding *finding);

#endif

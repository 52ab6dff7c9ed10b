// Locks for the shared state of this target's files.
#ifndef MAINSTAY_CHANGE_LOCKS_H
#define MAINSTAY_CHANGE_LOCKS_H

#include "dispositions.h"

/// The kinds of state that one thread at a time changes, in lock order.
typedef enum { MS_ACCEPTED_SIGNALS, MS_WATCHERS, MS_DISPOSITIONS, MS_CHANGED } ms_changed;

/// Takes the lock and blocks all signals until `ms_end_change`: a handler that changes the same state would deadlock
/// with the code that it interrupted. In a forked child, no change is in progress. Not signal-safe.
ms_mask ms_begin_change(ms_changed what);

/// Releases the lock and restores the signal mask that `ms_begin_change` returned. Not signal-safe.
void ms_end_change(ms_changed what, ms_mask before);

#endif

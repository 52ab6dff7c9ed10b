// Locks for the shared state of this target's files.
#ifndef MAINSTAY_CHANGE_LOCKS_H
#define MAINSTAY_CHANGE_LOCKS_H

#include "dispositions.h"

/// The kinds of state that one thread at a time changes, in lock order.
typedef enum { MS_ACCEPTED_SIGNALS, MS_WATCHERS, MS_DISPOSITIONS, MS_CHANGED } ms_changed;

/// Waits for others' changes. No signal is handled until `ms_end_change`: a handler may want to change
/// the same, and must not wait for itself. A forked child finds no change begun. Not signal-safe.
ms_mask ms_begin_change(ms_changed what);

/// Takes what `ms_begin_change` returned. Not signal-safe.
void ms_end_change(ms_changed what, ms_mask before);

#endif

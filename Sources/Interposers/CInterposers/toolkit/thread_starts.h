// Records the starter of each thread, and the sender of queued work.
#ifndef MAINSTAY_TOOLKIT_STARTS_H
#define MAINSTAY_TOOLKIT_STARTS_H

#include "owner.h"
#include "python_frames.h"

enum { MS_TOOLKIT_START_FRAMES = 12 };

typedef struct {
  ms_toolkit_thread by;
  uint32_t frame_count;
  uintptr_t frames[MS_TOOLKIT_START_FRAMES];
  ms_script script;
} ms_toolkit_start;

/// The start of this thread; NULL if the start was not recorded.
const ms_toolkit_start *ms_toolkit_own_start(void);

/// The sender of the work that this thread runs for GLib's `GTask` or `GThreadPool`, or as a source of a main loop
/// that another thread attached. NULL if the thread runs no such work, or the sender is unknown. The result may be
/// stored in `room`.
const ms_toolkit_start *ms_toolkit_own_work(ms_toolkit_start *room);

/// Starts to record thread starts.
void ms_toolkit_starts_begin(void);
void ms_toolkit_starts_end(void);
bool ms_toolkit_notes_starts(void);

/// Stops the recording in a forked child; the records of pending work are kept.
void ms_toolkit_starts_rest(void);

/// Captures this thread and its stack from `caller`, the return address of an interposed function.
void ms_toolkit_note_start(ms_toolkit_start *start, uintptr_t caller);

/// Finds the interposer of a function that queues work, and the real function, NULL if no library has it. Returns
/// false if no interposer has that name.
bool ms_toolkit_queues_by(const char *name, void **front, void **real);

#endif

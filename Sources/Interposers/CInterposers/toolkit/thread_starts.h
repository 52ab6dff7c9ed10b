// The starter of a thread, and the sender of its work: recorded at the start and when the work is queued.
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

/// Of this thread; NULL if it was not seen.
const ms_toolkit_start *ms_toolkit_own_start(void);

/// Of the work that this thread runs for GLib's `GTask` or `GThreadPool`, or as a source of a main loop that another
/// thread attached; NULL if it runs none, or its sender is unknown. It may use `room`.
const ms_toolkit_start *ms_toolkit_own_work(ms_toolkit_start *room);

/// Notes starts from now on.
void ms_toolkit_starts_begin(void);
void ms_toolkit_starts_end(void);
bool ms_toolkit_notes_starts(void);

/// In a forked process: records no more starts, and keeps those of pending work.
void ms_toolkit_starts_rest(void);

/// Notes this thread and its stack, as seen from `caller`, where one of ours returns to.
void ms_toolkit_note_start(ms_toolkit_start *start, uintptr_t caller);

/// The interposer of a function that queues work, and the real function, NULL if no library has it; false if no
/// interposer has that name.
bool ms_toolkit_queues_by(const char *name, void **front, void **real);

#endif

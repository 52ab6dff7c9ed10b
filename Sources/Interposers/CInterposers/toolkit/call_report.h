// Reports a call off its toolkit's thread, as a crumb and as a line.
#ifndef MAINSTAY_TOOLKIT_TELL_H
#define MAINSTAY_TOOLKIT_TELL_H

#include "CRecorder.h"
#include "owner.h"
#include "python_frames.h"
#include "thread_starts.h"

enum { MS_TOOLKIT_FRAMES = 48 };

typedef struct {
  const ms_toolkit_function *function;
  char type[64], name[64];  ///< the type and name of the object that is the first argument
  ms_toolkit_thread thread, owner;
  const ms_toolkit_start *start;  ///< the start of the thread; NULL if not recorded
  const ms_toolkit_start *work;   ///< the sender of the work that the thread runs; NULL if unknown
  ms_toolkit_start work_room;
  ms_script script;
  uintptr_t frames[MS_TOOLKIT_FRAMES];
  uint32_t frame_count;
  uint32_t walk_end;
  uint64_t occurrence;
} ms_toolkit_finding;

/// Collects the facts about a call from `caller`.
void ms_toolkit_look_around(ms_toolkit_finding *finding, const ms_toolkit_function *function, uintptr_t argument,
                            uintptr_t caller);

/// Sets the path of the log, which is opened for the first crumb. The string must stay valid.
void ms_toolkit_record_to(const char *path);
bool ms_toolkit_open_log(void);

void ms_toolkit_record(const ms_toolkit_finding *finding);
void ms_toolkit_write_line(const ms_toolkit_finding *finding);

/// Records the number of calls of each toolkit, and closes the log.
void ms_toolkit_close_log(void);

#endif

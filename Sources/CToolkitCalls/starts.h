// Who started a thread: noted as it is started.
#ifndef MAINSTAY_TOOLKIT_STARTS_H
#define MAINSTAY_TOOLKIT_STARTS_H

#include "owner.h"
#include "script.h"

enum { MS_TOOLKIT_START_FRAMES = 12 };

typedef struct {
  ms_toolkit_thread by;
  uint32_t frame_count;
  uintptr_t frames[MS_TOOLKIT_START_FRAMES];
  ms_script script;
} ms_toolkit_start;

/// Of this thread; NULL where it was not seen.
const ms_toolkit_start *ms_toolkit_own_start(void);

/// Notes starts from now on.
void ms_toolkit_starts_begin(void);

#endif

// The frames of an interpreter that runs code on this thread.
#ifndef MAINSTAY_TOOLKIT_SCRIPT_H
#define MAINSTAY_TOOLKIT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum { MS_SCRIPT_FRAMES = 4, MS_SCRIPT_TEXT = 192 };

/// Frames such as `folder/app.py:12 work`, innermost first.
typedef struct {
  uint32_t count;
  char frames[MS_SCRIPT_FRAMES][MS_SCRIPT_TEXT];
} ms_script;

/// Reads the frames of CPython. A call from Python to C releases the interpreter's lock and takes the lock again at
/// its return. If `caller` is in such a call, this function takes the lock earlier: any deadlock that results would
/// occur without Mainstay, too.
void ms_script_read(ms_script *script, uintptr_t caller);

#endif

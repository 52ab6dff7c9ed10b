// The frames of an interpreter, where one runs this thread's code.
#ifndef MAINSTAY_TOOLKIT_SCRIPT_H
#define MAINSTAY_TOOLKIT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum { MS_SCRIPT_FRAMES = 4, MS_SCRIPT_TEXT = 192 };

/// As `folder/app.py:12 work`, the innermost first.
typedef struct {
  uint32_t count;
  char frames[MS_SCRIPT_FRAMES][MS_SCRIPT_TEXT];
} ms_script;

/// Reads the frames of CPython. A call from Python to C releases the interpreter's lock and takes it again when it
/// returns. This function takes the lock earlier, only if `caller` is such a call. A thread that would deadlock with
/// this one does so without Mainstay, too.
void ms_script_read(ms_script *script, uintptr_t caller);

#endif

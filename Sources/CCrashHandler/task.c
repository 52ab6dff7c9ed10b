// The task that crashed, and the async functions that wait for it.

#include <string.h>

#include "crash.h"

// How the compiler lays out what an async function leaves for its caller to go on with.
typedef struct async_context {
  const struct async_context *parent;
  uintptr_t resume;
} async_context;

/// A frame of an async function marks the frame pointer it saved, and keeps its context below it.
static const uintptr_t async_mark = UINT64_C(1) << 60;
enum { most_frames = 4096 };

/// The context of the innermost async function on the stack; 0 where there is none.
static uintptr_t innermost_context(const ucontext_t *context) {
  uintptr_t frame = ms_frame_pointer(context);
  uintptr_t low = ms_stack_pointer(context);
  for (int i = 0; i < most_frames && frame > low && frame % sizeof frame == 0; i++) {
    const uintptr_t *words = (const uintptr_t *)frame;
    if (words[0] & async_mark) return words[-1];
    low = frame;
    frame = words[0];
  }
  return ms_async_register(context);
}

static uint32_t follow(uintptr_t context, ms_async_frame *frames) {
  uint32_t count = 0;
  const async_context *at = (const async_context *)context;
  while (at && (uintptr_t)at % sizeof(uintptr_t) == 0 && count < MS_ASYNC_LIMIT) {
    if (!ms_is_code(at->resume)) break;
    frames[count++] = (ms_async_frame){(uintptr_t)at, at->resume};
    if (at->parent == at) break;
    at = at->parent;
  }
  return count;
}

static void write_record(ms_crash *crash, uint64_t task, const ms_async_frame *frames,
                         uint32_t count) {
  ms_crash_task_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_TASK, crash->number,
                                                sizeof *record + count * sizeof *frames);
  if (record == NULL) return;
  record->task = task;
  record->count = count;
  memcpy(record->frames, frames, count * sizeof *frames);
  ms_crash_commit(crash->log, record);
}

void ms_record_task(ms_crash *crash) {
  if (!ms_sources.current_task || !ms_sources.task_id) return;
  void *task = ms_sources.current_task();
  if (task == NULL) return;
  ms_async_frame frames[MS_ASYNC_LIMIT];
  uint32_t count = follow(innermost_context(crash->context), frames);
  write_record(crash, ms_sources.task_id(task), frames, count);
}

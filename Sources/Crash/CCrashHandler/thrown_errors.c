// Captures where each thread last threw a Swift error, for a crash that the error causes.

#include <string.h>

#include "crash.h"

enum { most_frames = 32 };

typedef struct {
  uint32_t count;
  uint32_t end;
  uintptr_t frames[most_frames];
} thrown_error;

// Initial-exec, because a handler must not allocate thread-local memory.
static _Thread_local __attribute__((tls_model("initial-exec"))) thrown_error last;

typedef void (*will_throw)(void *error);

extern void _swift_setWillThrowHandler(will_throw handler) __attribute__((weak));
extern _Atomic(will_throw) _swift_willThrow __attribute__((weak));

static _Atomic(will_throw) earlier;

static void note(void *error) {
  ms_walk_end end;
  // The stack begins at the runtime's function that calls this handler.
  last.count = ms_walk_here(last.frames, most_frames, 1, &end);
  last.end = end;
  will_throw next = atomic_load(&earlier);
  if (next) next(error);
}

void ms_thrown_begin(void) {
  if (!_swift_setWillThrowHandler || !&_swift_willThrow) return;
  will_throw now = atomic_load(&_swift_willThrow);
  if (now == note) return;
  atomic_store(&earlier, now);
  _swift_setWillThrowHandler(note);
}

/// Restores the earlier handler. A handler that was set after ours stays, and may continue to call ours.
void ms_thrown_end(void) {
  if (!&_swift_willThrow || atomic_load(&_swift_willThrow) != note) return;
  _swift_setWillThrowHandler(atomic_load(&earlier));
}

void ms_record_thrown(ms_crash *crash) {
  if (last.count == 0) return;
  size_t frames = last.count * sizeof(uint64_t);
  ms_crash_thrown_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_THROWN,
                                                  crash->number, sizeof *record + frames);
  if (record == NULL) return;
  record->count = (uint16_t)last.count;
  record->end = (uint8_t)last.end;
  memcpy(record->frames, last.frames, frames);
  ms_crash_commit(crash->log, record);
  ms_crash_note_modules(crash->log, last.frames, last.count);
}

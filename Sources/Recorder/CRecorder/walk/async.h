// The async callers of the function that a task runs. They have no frames on the stack: each has left a context with
// its resume address and the context of its own caller.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_ASYNC_H
#define MAINSTAY_WALK_ASYNC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ms_async.h"
#include "platform.h"

MS_WALKS_BEGIN

enum { ms_task_places = 4 };

extern _Atomic uintptr_t ms_task_returns[ms_task_places] __attribute__((visibility("hidden")));

/// Whether the runtime calls the function that a task goes on with from right before this address.
static MS_INLINE bool ms_is_task_return(uintptr_t address) {
  for (int place = 0; place < ms_task_places; place++) {
    uintptr_t known = atomic_load_explicit(&ms_task_returns[place], memory_order_relaxed);
    if (known == address) return known != 0;
  }
  return false;
}

/// The position at which a signal interrupted.
typedef struct {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t context;  // what the register holds that contexts are handed over in
} ms_interrupted;

/// The context of the interrupted async function, from the value in its frame or register. A function resumes with
/// the context of the function that it awaited, and replaces that by its own in its first instructions.
uintptr_t ms_async_own_context(uintptr_t found, const ms_interrupted *at)
    __attribute__((visibility("hidden")));

/// Whether `ms_async_callers` would write these.
bool ms_async_callers_are(uintptr_t context, const uintptr_t *frames, uint32_t count,
                          ms_walk_end end);

MS_WALKS_END

#endif

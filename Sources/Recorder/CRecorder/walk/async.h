// The async callers of the function that a task runs. Async callers have no frames on the stack; each has a context
// with its resume address and a pointer to the context of its own caller.
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

/// Returns true if `address` is the return address of the runtime's call that runs a task's current function.
static MS_INLINE bool ms_is_task_return(uintptr_t address) {
  for (int place = 0; place < ms_task_places; place++) {
    uintptr_t known = atomic_load_explicit(&ms_task_returns[place], memory_order_relaxed);
    if (known == address) return known != 0;
  }
  return false;
}

/// The registers of an async function at the moment at which a signal interrupted it.
typedef struct {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t context;  // the value of the register that passes async contexts
} ms_interrupted;

/// Returns the context of the interrupted async function, given the value found in its frame or register. A function
/// resumes with the context of the function that it awaited, and replaces that context by its own in its first
/// instructions.
uintptr_t ms_async_own_context(uintptr_t found, const ms_interrupted *at)
    __attribute__((visibility("hidden")));

/// Returns true if `ms_async_callers` would write the same frames and end.
bool ms_async_callers_are(uintptr_t context, const uintptr_t *frames, uint32_t count,
                          ms_walk_end end);

MS_WALKS_END

#endif

// Walks a stack. The only home of libunwind, behind two functions.
#ifndef MAINSTAY_CSTACKWALK_H
#define MAINSTAY_CSTACKWALK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a walk ended.
typedef enum {
  MS_WALK_COMPLETE = 0,     ///< the outermost frame was reached
  MS_WALK_LIMIT = 1,        ///< there were more frames than room
  MS_WALK_NO_RULE = 2,      ///< no unwind information for a frame
  MS_WALK_BAD_STACK = 3,    ///< the next frame would lie outside the stack
  MS_WALK_UNAVAILABLE = 4,  ///< no engine on this system
} ms_walk_end;

/// The engine that walks.
typedef enum {
  MS_WALK_LIBUNWIND = 0,
  MS_WALK_RULES = 1,  ///< our table of unwind rules
} ms_walk_engine;

/// Writes the return addresses of the calls this thread is in, innermost first, beginning with
/// the caller of `ms_walk_here`, leaving out the first `skip`. Returns how many were written.
uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end);

/// Walks from a signal's context (`ucontext_t *`): the first frame is the address of the
/// interrupted instruction itself, all others are return addresses.
uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end);

/// Prepares the engine, so that later walks do as little as they can. Not signal-safe.
void ms_walk_start(void);

ms_walk_engine ms_walk_engine_in_use(void);

/// Why `ms_walk_engine_in_use` is what it is: a short phrase for `show --verbose`.
const char *ms_walk_engine_reason(void);

#ifdef __cplusplus
}
#endif
#endif

// Finds the async callers of an async function. docs/internals/stack-walk.md explains how.
#ifndef MAINSTAY_ASYNC_H
#define MAINSTAY_ASYNC_H

#include "ms_walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The policy for checking that the memory of async contexts is readable. The contexts of a running task are valid;
/// after a crash any pointer may be invalid.
typedef enum {
  MS_ASK_ONCE,   ///< skips the check for pages that passed it before
  MS_ASK_ALWAYS,
} ms_asking;

/// Writes the resume addresses of the async callers of the function with this context, innermost first, each with
/// `MS_ASYNC_CALLER`, and returns their number. Stops at a cycle and at an invalid context.
///
/// Signal safety: safe.
uint32_t ms_async_callers(uintptr_t context, ms_asking asking, uintptr_t *frames, uint32_t capacity,
                          ms_walk_end *end);

#ifdef __cplusplus
}
#endif
#endif

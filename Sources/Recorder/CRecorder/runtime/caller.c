#include "ms_runtime.h"

#include <stddef.h>

enum { farthest = 1 << 16 };  // the maximum size in bytes of our frames

/// Returns the frame of the caller. A frame begins with the caller's frame pointer and the return address; in code
/// without frame pointers, the register may contain any value.
static const uintptr_t *caller_of(const uintptr_t *frame) {
  uintptr_t caller = frame[0];
  bool isFrame = caller > (uintptr_t)frame && caller - (uintptr_t)frame < farthest &&
                 caller % sizeof(uintptr_t) == 0;
  return isFrame ? (const uintptr_t *)caller : NULL;
}

__attribute__((noinline)) uintptr_t ms_caller(void) {
  const uintptr_t *asking = caller_of(__builtin_frame_address(0));
  return asking ? asking[1] : 0;
}

__attribute__((noinline)) uintptr_t ms_maker(void) {
  const uintptr_t *asking = caller_of(__builtin_frame_address(0));
  const uintptr_t *allocating = asking ? caller_of(asking) : NULL;
  return allocating ? allocating[1] : 0;
}

// The frames of this library at the top of a stack.
#ifndef MAINSTAY_OWN_FRAMES_H
#define MAINSTAY_OWN_FRAMES_H

#include <stdint.h>

/// Returns the number of frames above `caller`, the return address of the interposed call; 0 if `caller` is not among the
/// first frames. Signal safety: safe.
static inline uint32_t ms_own_frames(const uintptr_t *frames, uint32_t count, uintptr_t caller) {
  enum { most = 8 };
  for (uint32_t i = 0; i < most && i < count; i++) {
    if (frames[i] == caller) return i;
  }
  return 0;
}

#endif

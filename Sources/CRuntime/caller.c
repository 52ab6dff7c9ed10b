#include "CRuntime.h"

enum { farthest = 1 << 16 };  // how many bytes a frame of ours may have

/// Each function's frame begins with its caller's frame pointer and its own return address.
__attribute__((noinline)) uintptr_t ms_caller(void) {
  const uintptr_t *own = __builtin_frame_address(0);
  uintptr_t asking = own[0];
  // Without frame pointers the register holds anything at all.
  bool isFrame = asking > (uintptr_t)own && asking - (uintptr_t)own < farthest &&
                 asking % sizeof(uintptr_t) == 0;
  return isFrame ? ((const uintptr_t *)asking)[1] : 0;
}

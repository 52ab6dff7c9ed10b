// The unwinder in use, selected once by `ms_walk_start`.
#ifndef MAINSTAY_WALK_ENGINE_H
#define MAINSTAY_WALK_ENGINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ms_address.h"
#include "ms_async.h"
#include "ms_return_address.h"
#include "ms_walk.h"
#include "ms_walk_memory.h"
#include "platform.h"

extern _Atomic bool ms_libunwind_is_forced __attribute__((visibility("hidden")));

static inline bool ms_uses_libunwind(void) {
  return !MS_HAS_RULES
      || ms_unlikely(atomic_load_explicit(&ms_libunwind_is_forced, memory_order_relaxed));
}

/// Returns true if libunwind is available; the first call loads the library.
///
/// Signal safety: safe after an earlier call from outside a handler.
bool ms_libunwind_load(void);

/// Writes the frames that libunwind finds, beginning with the frame whose return address is `first`, without the
/// first `skip` frames. Returns their number.
///
/// Signal safety: not safe.
uint32_t ms_libunwind_from(uintptr_t first, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                           ms_walk_end *end);

#if MS_HAS_RULES
/// Records which objects are never unloaded.
///
/// Signal safety: not safe, takes the loader's lock.
void ms_permanent_objects_learn(void);
#endif

#endif

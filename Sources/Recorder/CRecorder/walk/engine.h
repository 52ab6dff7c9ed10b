// The engine in use, decided once by `ms_walk_start`.
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

/// Whether libunwind is here; it is loaded by the first who asks.
///
/// Signal safety: safe once it has been asked elsewhere.
bool ms_libunwind_load(void);

/// libunwind's frames from the one that returns to `first`, without the first `skip` of them.
///
/// Signal safety: not safe.
uint32_t ms_libunwind_from(uintptr_t first, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                           ms_walk_end *end);

#if MS_HAS_RULES
/// Learns which objects stay for ever.
///
/// Signal safety: not safe, takes the loader's lock.
void ms_permanent_objects_learn(void);
#endif

#endif

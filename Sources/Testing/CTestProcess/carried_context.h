// Declarations shared by the files that interpose the functions which send work. Their definitions are weak: if the
// runtime is linked statically, its own definitions win.
#ifndef MAINSTAY_CARRIED_CONTEXT_H
#define MAINSTAY_CARRIED_CONTEXT_H

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "CCarrying.h"
#include "CInterleaving.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN_BY_SANITIZER 1
#endif
#endif

#define CALLER ((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))
#define SEEN __attribute__((weak, visibility("default"), noinline))

/// Work for the test that is not code under test: no call is stopped inside.
#define ASIDE(work)                        \
  do {                                     \
    bool paused = ms_interleaving_pause(); \
    work;                                  \
    ms_interleaving_go_on(paused);         \
  } while (0)

/// The function that ours stands in front of.
#define REAL(name, type)                                              \
  static type real_##name(void) {                                     \
    static _Atomic(type) found;                                       \
    type function = atomic_load(&found);                              \
    if (function == NULL) {                                           \
      ASIDE(function = (type)dlsym(RTLD_NEXT, #name));                \
      atomic_store(&found, function);                                 \
    }                                                                 \
    return function;                                                  \
  }

typedef void (*work_function)(void *);

extern char _dispatch_main_q __attribute__((weak));

/// The carrier; NULL for none.
const ms_carrier *ms_the_carrier(void);

/// Whether Swift's tasks send.
bool ms_is_of_tasks(uintptr_t caller);

/// Whether Dispatch, or Swift's tasks, begin a thread.
bool ms_is_of_workers(uintptr_t caller);

/// Whether the code of tasks is known.
bool ms_sees_tasks(void);

/// Whether a library sends, through the Swift face of Dispatch or without it.
bool ms_is_of_library(uintptr_t caller);

/// How long it is until a time of Dispatch's, in nanoseconds.
uint64_t ms_delay_until(uint64_t when);

/// Sends a mark after work whose end cannot be observed. The mark runs after that work has begun, on a serial queue
/// after it has ended. `when` is 0 for now.
void ms_mark(void *queue, uint64_t when, uint64_t delay, uintptr_t caller);

#endif

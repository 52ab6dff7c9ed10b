// Declarations shared by the files that interpose functions that send work. The interposed
// functions are weak: if the runtime is linked statically, its definitions take precedence.
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

/// Runs code of the test library inside a call under test. The call is never stopped in such code.
#define ASIDE(work)                        \
  do {                                     \
    bool paused = ms_interleaving_pause(); \
    work;                                  \
    ms_interleaving_go_on(paused);         \
  } while (0)

/// Defines a function that returns the interposed function `name`.
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

/// The current carrier; NULL for none.
const ms_carrier *ms_the_carrier(void);

/// True if the caller is the runtime of Swift's tasks.
bool ms_is_of_tasks(uintptr_t caller);

/// True if the caller is Dispatch or the runtime of Swift's tasks, which start worker threads.
bool ms_is_of_workers(uintptr_t caller);

/// True if the address range of the task runtime's code is known.
bool ms_sees_tasks(void);

/// True if the caller is a library such as Foundation, directly or through Dispatch's Swift
/// overlay.
bool ms_is_of_library(uintptr_t caller);

/// The time until `when`, a time of Dispatch, in nanoseconds.
uint64_t ms_delay_until(uint64_t when);

/// Sends a marker after work whose end cannot be observed. The marker runs after that work has
/// begun; on a serial queue, after it has ended. `when` is 0 for now.
void ms_mark(void *queue, uint64_t when, uint64_t delay, uintptr_t caller);

#endif

// Decides whether our own unwinder can be built for this platform, and defines the macros that its files share.
#ifndef MAINSTAY_WALK_PLATFORM_H
#define MAINSTAY_WALK_PLATFORM_H

#include <features.h>

// `_dl_find_object`, which finds the unwind information of an address without a lock, exists since glibc 2.35.
// Architecture-specific definitions are in machine.h and in the files with an architecture's name. Define
// MS_HAS_RULES as 0 to exclude the unwinder.
#ifndef MS_HAS_RULES
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__GLIBC__)
#define MS_HAS_RULES __GLIBC_PREREQ(2, 35)
#else
#define MS_HAS_RULES 0
#endif
#endif

#define ms_likely(condition) __builtin_expect(!!(condition), 1)
#define ms_unlikely(condition) __builtin_expect(!!(condition), 0)

// Forces inlining in the hot loop, where a call or an escaping pointer would occupy registers.
#define MS_INLINE inline __attribute__((always_inline))

// Disables sanitizers: a walk reads the stack memory of other functions, red zones included.
#define MS_WALKS_BEGIN MS_PRAGMA(clang attribute push(MS_UNWATCHED, apply_to = function))
#define MS_UNWATCHED __attribute__((disable_sanitizer_instrumentation))
#define MS_PRAGMA(...) MS_PRAGMA_OF(__VA_ARGS__)
#define MS_PRAGMA_OF(...) _Pragma(#__VA_ARGS__)
#define MS_WALKS_END _Pragma("clang attribute pop")

#endif

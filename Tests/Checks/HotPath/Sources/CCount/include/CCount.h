// Counts what a thread asks of the allocator, of locks and of the kernel.
//
// The program that links this defines `malloc` and its kin, and the locks of pthreads and of the
// dynamic linker, so that every library's calls come here first. System calls are caught by a
// seccomp filter: they are counted and not carried out.
#ifndef HOTPATH_CCOUNT_H
#define HOTPATH_CCOUNT_H

#include <stdbool.h>
#include <stdint.h>

/// What a thread has asked for.
typedef struct {
  uint64_t allocations;
  uint64_t locks;
  uint64_t system_calls;
  int64_t first_system_call;  ///< its number; -1 where there was none
} count_totals;

/// What the calling thread has asked for since it began.
count_totals count_here(void);

/// From now on counts this thread's system calls in place of making them: for good, so that the
/// thread must end by `count_leave`. False if the kernel refuses.
bool count_system_calls_from_here(void);

/// Ends this thread at once, without the C library's clean-up, which makes system calls.
_Noreturn void count_leave(void);

#endif

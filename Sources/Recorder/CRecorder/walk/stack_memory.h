// Reads stack memory that is known to be readable.
//
// Signal safety: everything here is safe; the only system call has no effect.
#ifndef MAINSTAY_WALK_STACK_MEMORY_H
#define MAINSTAY_WALK_STACK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

MS_WALKS_BEGIN

/// A readable address range: `low..<high`. Unless `fixed`, the range grows page by page during a walk, and the kernel
/// is queried once for each page.
typedef struct {
  uintptr_t low;
  uintptr_t high;
  bool fixed;
} ms_stack;

enum {
  ms_lowest_stack = 4096,    ///< no stack begins below this address
  ms_stack_count_bits = 28,  ///< bits for the page count of a packed range; the page number has the rest
};

/// Unpacks the range that this thread remembers; the range is empty at first. The packed range is a single word, so
/// that a handler that walks in between sees a consistent value.
static MS_INLINE ms_stack ms_stack_unpack(uint64_t range) {
  enum { page_bits = 12 };
  uintptr_t low = range >> ms_stack_count_bits << page_bits;
  uintptr_t size = (range & ((UINT64_C(1) << ms_stack_count_bits) - 1)) << page_bits;
  return (ms_stack){low, low + size, false};
}

static MS_INLINE bool ms_stack_holds(const ms_stack *stack, uintptr_t address) {
  return address - stack->low < stack->high - stack->low;
}

// initial-exec, because the first access in a thread must not allocate.
extern _Thread_local uint64_t ms_stack_remembered
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Returns the readable range around `sp`, without the range that this thread remembers.
ms_stack ms_stack_around(uintptr_t sp);

/// Returns the readable range around `sp`, joined with the remembered range if the gap is small and readable.
ms_stack ms_stack_learn(uintptr_t sp);

/// Makes `stack` the initial range of this thread's next walks.
void ms_stack_remember(const ms_stack *stack);

/// Returns true if the `size` bytes at `address` are readable. Grows the range if necessary.
bool ms_stack_reach(ms_stack *stack, uintptr_t address, uintptr_t size);

/// Reads one word of the stack.
bool ms_stack_read(ms_stack *stack, uintptr_t address, uint64_t *value);

MS_WALKS_END

#endif

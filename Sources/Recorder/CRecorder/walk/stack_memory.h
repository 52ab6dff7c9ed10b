// Reads stack memory, and only memory that is known to be readable.
//
// Signal safety: everything here is safe; the only system call changes nothing.
#ifndef MAINSTAY_WALK_STACK_MEMORY_H
#define MAINSTAY_WALK_STACK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

MS_WALKS_BEGIN

/// Bytes that can be read: `low..<high`. Unless `fixed`, it grows page by page as a walk needs,
/// each page asked of the kernel once.
typedef struct {
  uintptr_t low;
  uintptr_t high;
  bool fixed;
} ms_stack;

enum {
  ms_lowest_stack = 4096,    ///< no stack begins below
  ms_stack_count_bits = 28,  ///< of a range in one word; an address on arm64 leaves no more beside the number of its page
};

/// The range that this thread remembers, empty if it remembers none. One word, so a handler
/// that walks in between cannot tear it.
static MS_INLINE ms_stack ms_stack_unpack(uint64_t range) {
  enum { page_bits = 12 };
  uintptr_t low = range >> ms_stack_count_bits << page_bits;
  uintptr_t size = (range & ((UINT64_C(1) << ms_stack_count_bits) - 1)) << page_bits;
  return (ms_stack){low, low + size, false};
}

static MS_INLINE bool ms_stack_holds(const ms_stack *stack, uintptr_t address) {
  return address - stack->low < stack->high - stack->low;
}

// initial-exec: the first access in a thread must not allocate.
extern _Thread_local uint64_t ms_stack_remembered
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// The readable range around `sp`, begun anew.
ms_stack ms_stack_around(uintptr_t sp);

/// The readable range around `sp`, joined with the remembered one where they are near.
ms_stack ms_stack_learn(uintptr_t sp);

/// Lets this thread's next walks begin with `stack`.
void ms_stack_remember(const ms_stack *stack);

/// Whether the `size` bytes at `address` can be read, growing the range where that helps.
bool ms_stack_reach(ms_stack *stack, uintptr_t address, uintptr_t size);

/// Reads one word of the stack.
bool ms_stack_read(ms_stack *stack, uintptr_t address, uint64_t *value);

MS_WALKS_END

#endif

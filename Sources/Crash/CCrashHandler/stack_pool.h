// A pool of alternate stacks.
#ifndef MAINSTAY_STACK_POOL_H
#define MAINSTAY_STACK_POOL_H

#include <signal.h>
#include <stdint.h>

/// The size of an alternate stack, which is enough for all handlers: our handler needs 16 KiB, the kernel's frame up
/// to 11 KiB (AMX); the rest is for the host's handlers.
enum { MS_ENOUGH_STACK = 64 * 1024 };

/// Takes a stack and returns its number, from 1; 0 if there is no memory. The pool is lock-free, so that a forked child
/// never inherits a held lock. Not signal-safe.
uint32_t ms_stack_take(void);

/// The memory of a stack in use.
stack_t ms_stack_of(uint32_t number);

/// Returns a stack to the pool. Not signal-safe.
void ms_stack_give_back(uint32_t number);

#endif

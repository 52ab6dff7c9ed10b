// Room for alternate stacks.
#ifndef MAINSTAY_STACK_POOL_H
#define MAINSTAY_STACK_POOL_H

#include <signal.h>
#include <stdint.h>

/// A size that is enough for all code on an alternate stack: our handler needs 16 KiB, the kernel's frame up to 11
/// KiB (AMX); the rest is for the host's handlers.
enum { MS_ENOUGH_STACK = 64 * 1024 };

/// Takes room for a stack; its number, from 1, or 0 if there is no memory. Takes no lock, so that a
/// child may go on with whatever was going on at its fork. Not signal-safe.
uint32_t ms_stack_take(void);

/// The memory of a stack that is in use.
stack_t ms_stack_of(uint32_t number);

/// Not signal-safe.
void ms_stack_give_back(uint32_t number);

#endif

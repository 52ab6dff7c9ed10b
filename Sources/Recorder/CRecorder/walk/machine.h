// The differences between architectures: the registers that the walk refers to by name, the range of addresses, and
// the location of the return address after a call.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_MACHINE_H
#define MAINSTAY_WALK_MACHINE_H

#include <stdint.h>

#include "ms_return_address.h"
#include "platform.h"

MS_WALKS_BEGIN

#if defined(__aarch64__)

/// DWARF's register numbers, then the program counter, for which DWARF has no number. A call leaves its return
/// address in register 30. The kernel stores the registers of a signal frame in the same order.
enum { ms_context_register = 22, ms_fp = 29, ms_return = 30, ms_sp = 31, ms_pc = 32, ms_register_count = 33 };

/// The size of the area below the stack pointer that a function may use.
enum { ms_red_zone = 0 };

/// `MS_RULE_FRAME_POINTER`, expressed as a `MS_RULE_FROM_FP` rule.
enum { ms_rule_frame_offset = 16, ms_rule_frame_slot = 0 };

/// The significant bits of a code address: instructions are 4-byte aligned. The key of an odd address, which is not a
/// valid code address, has its highest bit set.
static MS_INLINE uint64_t ms_address_key(uintptr_t address) {
  return (uint64_t)address >> 1 | (uint64_t)address << 63;
}

#else

/// DWARF's register numbers. A call pushes its return address onto the stack.
enum {
  ms_rbx = 3, ms_fp = 6, ms_sp = 7, ms_r12 = 12, ms_context_register = 14, ms_pc = 16, ms_return = ms_pc,
  ms_register_count = 17,
};

/// The size of the area below the stack pointer that a function may use.
enum { ms_red_zone = 128 };

/// `MS_RULE_FRAME_POINTER`, expressed as a `MS_RULE_FROM_FP` rule.
enum { ms_rule_frame_offset = 16, ms_rule_frame_slot = 16 };

/// The significant bits of a code address.
static MS_INLINE uint64_t ms_address_key(uintptr_t address) { return address; }

#endif

MS_WALKS_END

#endif

// The differences between machines: the registers that a walk knows by name, valid addresses, and the location of the
// return address after a call.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_MACHINE_H
#define MAINSTAY_WALK_MACHINE_H

#include <stdint.h>

#include "ms_return_address.h"
#include "platform.h"

MS_WALKS_BEGIN

#if defined(__aarch64__)

/// DWARF's numbers, and behind them the program counter, which has none. A call leaves its return address
/// in a register (30), and the kernel keeps all in this order in a signal's frame.
enum { ms_context_register = 22, ms_fp = 29, ms_return = 30, ms_sp = 31, ms_pc = 32, ms_register_count = 33 };

/// The bytes that a function may use below its stack pointer.
enum { ms_red_zone = 0 };

/// The common rule in the words of the other kind that says as much.
enum { ms_rule_frame_offset = 16, ms_rule_frame_slot = 0 };

/// The bits of an address that can differ in its code: all instructions have 4 bytes. An odd address, which
/// is none, has the key's highest bit.
static MS_INLINE uint64_t ms_address_key(uintptr_t address) {
  return (uint64_t)address >> 1 | (uint64_t)address << 63;
}

#else

/// DWARF's numbers. A call leaves its return address on the stack.
enum {
  ms_rbx = 3, ms_fp = 6, ms_sp = 7, ms_r12 = 12, ms_context_register = 14, ms_pc = 16, ms_return = ms_pc,
  ms_register_count = 17,
};

/// The bytes that a function may use below its stack pointer.
enum { ms_red_zone = 128 };

/// The common rule in the words of the other kind that says as much.
enum { ms_rule_frame_offset = 16, ms_rule_frame_slot = 16 };

/// The bits of an address that can differ in its code.
static MS_INLINE uint64_t ms_address_key(uintptr_t address) { return address; }

#endif

MS_WALKS_END

#endif

// An unwind rule in one word, and the process-wide cache of rules. docs/internals/stack-walk.md shows the layout.
//
// Signal safety: everything here is safe; each entry is one atomic word.
#ifndef MAINSTAY_WALK_RULE_H
#define MAINSTAY_WALK_RULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

MS_WALKS_BEGIN

/// The way to compute the caller's registers. `MS_RULE_FRAME_POINTER` is 0, so that the complete rule word is 0 too.
typedef enum {
  MS_RULE_FRAME_POINTER = 0,  ///< CFA = fp + 16, with the caller's fp and the return address directly below
  MS_RULE_FROM_SP = 1,        ///< CFA = sp + offset
  MS_RULE_FROM_FP = 2,        ///< CFA = fp + offset
  MS_RULE_REALIGNED = 3,      ///< CFA = [fp - offset], the caller's fp at [fp]; on arm64 instead:
  MS_RULE_RETURN_ALONE = 3,   ///< CFA = sp + offset, the return address at sp + slot, fp unchanged
  MS_RULE_SIGNAL = 4,         ///< the kernel's signal frame: all registers are saved on the stack
  MS_RULE_OUTERMOST = 5,      ///< the frame has no caller
  MS_RULE_GENERAL = 6,        ///< only the stepper, with all registers, can make this step
  MS_RULE_UNKNOWN = 7,        ///< no unwind information; never cached
} ms_rule_kind;

/// A rule, from the lowest bit: 3 unused, 14 CFA offset / 8, 3 unused, 8 slot / 8, 3 kind, 33 unused. The slot
/// locates the caller's fp: its distance below the CFA (0: fp was not saved), with the return address directly below
/// the CFA; on arm64 its distance above the sp or fp that defines the CFA, with the return address in the next word.
typedef uint64_t ms_rule;

/// An entry of the cache: the rotated key of a return address, xor the rule, xor the displacement (the distance from
/// the entry's own slot, in bits 31...33). The rotation puts the key bits that select the own slot (3...16) into the
/// fields of slot, kind and displacement, and the other bits into unused bits or, for the highest 17, into the CFA
/// offset. 0 is an empty entry.
typedef uint64_t ms_entry;

enum {
  ms_rule_entries = 1 << 14,
  ms_rule_line = 8,  // entries in a cache line; a displaced entry stays in the same line
  ms_rule_key_bits = 47,
  ms_rule_lowest_key = 1 << 17,  // all bits of a lower address select the slot; nothing is mapped below
  ms_rule_most_cfa = 0x1FFF8,
  ms_rule_most_slot = 0x7F8,
  ms_rule_slot_shift = 17,
  ms_rule_kind_shift = 28,
  ms_rule_displacement_shift = 31,
};
#define MS_RULE_NO_PART UINT64_C(0xFFFFFFFF800E0007)  // the bits that must be 0 in a rule

static MS_INLINE ms_rule ms_rule_make(ms_rule_kind kind, uint64_t cfa_offset, uint64_t slot) {
  return (uint64_t)kind << ms_rule_kind_shift | cfa_offset | slot << ms_rule_slot_shift;
}
static MS_INLINE ms_rule_kind ms_rule_kind_of(ms_rule rule) {
  return (ms_rule_kind)(rule >> ms_rule_kind_shift & 7);
}
static MS_INLINE uint64_t ms_rule_cfa_offset(ms_rule rule) { return rule & ms_rule_most_cfa; }
static MS_INLINE uint64_t ms_rule_slot(ms_rule rule) {
  return rule >> ms_rule_slot_shift & ms_rule_most_slot;
}

static MS_INLINE uint64_t ms_rule_rotated(uintptr_t address) {
  uint64_t key = ms_address_key(address);
  return key << 17 | key >> ms_rule_key_bits;
}

extern _Atomic ms_entry ms_rule_table[ms_rule_entries] __attribute__((visibility("hidden")));

/// Returns the entry `displacement` places from the own slot of `address`. Bits 3...16 of the key are the slot's
/// offset in bytes.
static MS_INLINE ms_entry ms_rule_at(uintptr_t address, uint64_t displacement) {
  const char *entry = (const char *)ms_rule_table + ((ms_address_key(address) ^ displacement << 3) & 0x1FFF8);
  return atomic_load_explicit((const _Atomic ms_entry *)entry, memory_order_relaxed);
}

static MS_INLINE ms_entry ms_rule_at_home(uintptr_t address) { return ms_rule_at(address, 0); }

/// True if the cache entry in `address`'s own slot is a frame-pointer rule.
static MS_INLINE bool ms_rule_is_frame(ms_entry entry, uintptr_t address) {
  return entry == ms_rule_rotated(address);
}

/// Returns true if `entry`, found `displacement` places from its own slot, belongs to `address`.
static MS_INLINE bool ms_rule_is_for(ms_entry entry, uintptr_t address, uint64_t displacement) {
  uint64_t rule = entry ^ ms_rule_rotated(address) ^ displacement << ms_rule_displacement_shift;
  return (rule & MS_RULE_NO_PART) == 0 && entry != 0 && ms_address_key(address) >> ms_rule_key_bits == 0;
}

/// Looks up the entry of `address`. Returns false if the cache has none.
static MS_INLINE bool ms_rule_look_up(uintptr_t address, ms_entry *entry) {
#pragma clang loop unroll(disable)
  for (uint64_t displacement = 0; displacement < ms_rule_line; displacement++) {
    *entry = ms_rule_at(address, displacement);
    if (ms_rule_is_for(*entry, address, displacement)) return true;
  }
  return false;
}

/// Fills the slot of address 0 if it is empty. An empty entry there would equal a frame-pointer rule for address 0,
/// and some stacks end with a return address of 0.
void ms_rule_reserve_zero(void);

/// Caches the rule of the return address `address`. May replace the entry of another address.
void ms_rule_remember(uintptr_t address, ms_rule rule);

MS_WALKS_END

#endif

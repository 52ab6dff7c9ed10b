// Faults that the host recovers from as a matter of course: the null checks of a managed runtime, or
// a barrier of its heap. A thousand a second must not cost it a thousand stacks.

#include "crash.h"

enum {
  place_count = 1024,
  often = 64,
  count_bits = 16,  // below the instruction's address, in one word: a handler interrupts another
};

static _Atomic uint64_t places[place_count];

static _Atomic uint64_t *place_of(uintptr_t instruction) {
  uint64_t mixed = (uint64_t)instruction * UINT64_C(0x9e3779b97f4a7c15);
  return &places[mixed >> 54];
}

/// If two such instructions share an entry, neither is counted long enough to become routine. A count always belongs
/// to one instruction.
bool ms_is_routine(uintptr_t instruction) {
  _Atomic uint64_t *place = place_of(instruction);
  uint64_t known = atomic_load_explicit(place, memory_order_relaxed);
  uint64_t key = (uint64_t)instruction << count_bits;
  uint64_t count = (known ^ key) >> count_bits == 0 ? known & 0xffff : 0;
  if (count >= often) return true;
  atomic_store_explicit(place, key | (count + 1), memory_order_relaxed);
  return false;
}

void ms_is_no_routine(uintptr_t instruction) {
  atomic_store_explicit(place_of(instruction), 0, memory_order_relaxed);
}

// Faults from which the host recovers routinely, such as the null checks of a managed runtime or a barrier of its
// heap. At a thousand faults per second, a captured stack for each would be too expensive.

#include "crash.h"

enum {
  place_count = 1024,
  often = 64,
  count_bits = 16,  // below the instruction's address, in the same word, because a handler may interrupt another
};

static _Atomic uint64_t places[place_count];

static _Atomic uint64_t *place_of(uintptr_t instruction) {
  uint64_t mixed = (uint64_t)instruction * UINT64_C(0x9e3779b97f4a7c15);
  return &places[mixed >> 54];
}

/// Two instructions that share an entry reset each other's count, so that neither becomes routine. A count always
/// belongs to one instruction.
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

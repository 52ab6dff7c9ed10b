#include "rule.h"

#include "ms_walk.h"

#if MS_HAS_RULES
MS_WALKS_BEGIN

// Page-aligned, so that `ms_rule_line` entries share a cache line.
_Atomic ms_entry ms_rule_table[ms_rule_entries] __attribute__((aligned(4096)));

static _Atomic ms_entry *entry_at(uintptr_t address, size_t displacement) {
  size_t home = ms_address_key(address) >> 3 & (ms_rule_entries - 1);
  return &ms_rule_table[home ^ displacement];
}

// An entry that matches only one address, which selects another slot.
static const ms_entry reserved = ~UINT64_C(0);

void ms_rule_reserve_zero(void) {
  ms_entry empty = 0;
  atomic_compare_exchange_strong_explicit(&ms_rule_table[0], &empty, reserved,
                                          memory_order_relaxed, memory_order_relaxed);
}

// The entry is written by a single store, so a concurrent reader, such as a handler or another thread, sees either
// the old entry or the new one. Two threads may cache the same rule twice, with equal content.
void ms_rule_remember(uintptr_t address, ms_rule rule) {
  uint64_t key = ms_address_key(address);
  if (key >> ms_rule_key_bits != 0 || key < ms_rule_lowest_key) return;
  size_t chosen = key & (ms_rule_line - 1);
  for (size_t displacement = 0; displacement < ms_rule_line; displacement++) {
    ms_entry entry =
        atomic_load_explicit(entry_at(address, displacement), memory_order_relaxed);
    if (entry == 0) {
      chosen = displacement;
      break;
    }
  }
  ms_entry entry = ms_rule_rotated(address) ^ rule
      ^ (uint64_t)chosen << ms_rule_displacement_shift;
  atomic_store_explicit(entry_at(address, chosen), entry, memory_order_relaxed);
}

void ms_walk_forget_rules(void) {
  for (size_t index = 0; index < ms_rule_entries; index++) {
    atomic_store_explicit(&ms_rule_table[index], index == 0 ? reserved : 0, memory_order_relaxed);
  }
}

uint32_t ms_walk_remembered_rules(void) {
  uint32_t count = 0;
  for (size_t index = 0; index < ms_rule_entries; index++) {
    ms_entry entry = atomic_load_explicit(&ms_rule_table[index], memory_order_relaxed);
    count += entry != 0 && entry != reserved;
  }
  return count;
}

MS_WALKS_END
#else
void ms_walk_forget_rules(void) {}
uint32_t ms_walk_remembered_rules(void) { return 0; }
#endif

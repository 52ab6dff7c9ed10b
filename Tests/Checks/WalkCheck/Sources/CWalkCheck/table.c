#include "CWalkCheck.h"

#include <stdio.h>

#include "CRecorder.h"
#include "../../../../../Sources/Recorder/CRecorder/walk/rule.h"

// An address has so many bits. On arm64 its lowest is 0; an odd one is no address, and never remembered.
#if defined(__aarch64__)
enum { address_bits = 48 };
#else
enum { address_bits = 47 };
#endif
static const uintptr_t most_address = (UINT64_C(1) << address_bits) - 1;

static uint64_t state = 0x9E3779B97F4A7C15;

static uint64_t random_word(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 31) * UINT64_C(0x7FB5D329728EA185);
  return value ^ value >> 27;
}

// An address's rule, made of the address, so that another's is almost always another.
static ms_rule rule_of(uintptr_t address) {
  uint64_t random = mixed(address);
  ms_rule_kind kind = (ms_rule_kind)(random % MS_RULE_UNKNOWN);
  if (kind == MS_RULE_FRAME_POINTER) return MS_RULE_FRAME_POINTER;
  return ms_rule_make(kind, random >> 8 & ms_rule_most_cfa, random >> 32 & ms_rule_most_slot);
}

// Only addresses of even parity are ever remembered.
static bool is_remembered_sort(uintptr_t address) {
  return __builtin_parityl(address) == 0 && (address_bits == 47 || address % 2 == 0);
}

// A few bits from each other, as much as code lies; and some bits where no address has any.
static uintptr_t next_address(uintptr_t address) {
  for (uint64_t flips = random_word() % 3 + 1; flips > 0; flips--) {
    address ^= UINT64_C(1) << random_word() % (random_word() % 16 == 0 ? 64 : address_bits);
  }
  if (random_word() % 16 != 0) address &= most_address;
  return random_word() % 1024 == 0 ? random_word() >> 17 : address;
}

// What a walk does: the common rule by one comparison, then the rest.
static bool find(uintptr_t address, ms_rule *rule) {
  ms_entry entry = ms_rule_at_home(address);
  if (ms_rule_is_frame(entry, address)) {
    *rule = MS_RULE_FRAME_POINTER;
    return true;
  }
  if (!ms_rule_look_up(address, &entry)) return false;
  *rule = entry ^ ms_rule_rotated(address);
  // The displacement is none of the rule's.
  *rule &= ~(UINT64_C(7) << ms_rule_displacement_shift);
  return true;
}

bool ms_check_table(uint64_t addresses) {
  uint64_t hits = 0, wrong = 0;
  uintptr_t address = 0x55D0A7C41234;
  ms_walk_forget_rules();
  ms_rule none;
  if (find(0, &none)) wrong++;
  for (uint64_t index = 0; index < addresses; index++) {
    ms_rule rule = 0;
    address = next_address(address);
    if (is_remembered_sort(address) && index % 4 == 0) ms_rule_remember(address, rule_of(address));
    if (!find(address, &rule)) continue;
    hits++;
    bool right = is_remembered_sort(address) && rule == rule_of(address)
        && address <= most_address;
    if (!right && wrong++ < 5) printf("  %lx found the rule %lx\n", address, rule);
  }
  ms_walk_forget_rules();
  printf("table: %lu addresses, %lu found, %lu found another's rule\n", addresses, hits, wrong);
  return wrong == 0 && hits > 0;
}

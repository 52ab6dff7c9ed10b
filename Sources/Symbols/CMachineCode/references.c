#include <stdlib.h>
#include <string.h>

#include "CMachineCode.h"

/// A set of addresses. A bit map over the low bits of the addresses rejects most others.
typedef struct {
  const uint64_t *addresses;
  size_t count;
  uint8_t map[8192];
} address_set;

static unsigned bit_of(uint64_t address) { return (unsigned)(address ^ address >> 16) & 0xffff; }

static void fill(address_set *set, const uint64_t *addresses, size_t count) {
  *set = (address_set){.addresses = addresses, .count = count};
  for (size_t i = 0; i < count; i++)
    set->map[bit_of(addresses[i]) >> 3] |= 1 << (bit_of(addresses[i]) & 7);
}

/// Finds the index of an address in the set; returns false if the set lacks the address.
static bool find(const address_set *set, uint64_t address, uint32_t *index) {
  if (!(set->map[bit_of(address) >> 3] & 1 << (bit_of(address) & 7))) return false;
  size_t from = 0, to = set->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (set->addresses[middle] < address) from = middle + 1;
    else to = middle;
  }
  if (from == set->count || set->addresses[from] != address) return false;
  *index = (uint32_t)from;
  return true;
}

/// The sum of an address and the 32-bit displacement at `bytes`.
static uint64_t displaced(uint64_t address, const uint8_t *bytes) {
  int32_t displacement;
  memcpy(&displacement, bytes, sizeof displacement);
  return address + (uint64_t)(int64_t)displacement;
}

/// A form of instruction whose last bytes refer to an address.
typedef struct {
  size_t length;
  ms_reference_kind kind;
  bool is_absolute;
  /// True if only the last byte refers to the address.
  bool is_short;
} form;

/// True if a ModR/M byte selects an operand relative to the instruction pointer.
static bool is_relative(uint8_t modrm) { return (modrm & 0xc7) == 0x05; }

/// The form of the instruction at `code`, of which three bytes can be read; length 0 for other instructions.
static form form_at(const uint8_t *code) {
  switch (code[0]) {
  case 0xe8: return (form){.length = 5, .kind = MS_REFERENCE_CALL};
  case 0xe9: return (form){.length = 5, .kind = MS_REFERENCE_JUMP};
  case 0xeb: return (form){.length = 2, .kind = MS_REFERENCE_JUMP, .is_short = true};
  case 0xff:
    if (code[1] == 0x15 || code[1] == 0x25) return (form){.length = 6, .kind = MS_REFERENCE_MEMORY};
    break;
  case 0x48:
  case 0x4c:
    if (code[1] == 0x8d && is_relative(code[2])) return (form){.length = 7, .kind = MS_REFERENCE_ADDRESS};
    if (code[1] == 0x8b && is_relative(code[2])) return (form){.length = 7, .kind = MS_REFERENCE_MEMORY};
    break;
  default:
    // mov $address, register: programs that are linked at fixed addresses.
    if (code[0] >= 0xb8 && code[0] <= 0xbf) return (form){.length = 5, .kind = MS_REFERENCE_ADDRESS, .is_absolute = true};
  }
  return (form){0};
}

size_t ms_find_references(const uint8_t *code, size_t size, uint64_t address,
                          const uint64_t *addresses, size_t address_count, ms_reference *references,
                          size_t capacity) {
  address_set set;
  fill(&set, addresses, address_count);
  size_t found = 0;
  // The last instruction of a section is often a jump of five bytes.
  for (size_t i = 0; i + 5 <= size; i++) {
    form form = form_at(code + i);
    if (form.length == 0 || i + form.length > size) continue;
    uint64_t next = form.is_absolute ? 0 : address + i + form.length;
    uint64_t to = form.is_short ? next + (uint64_t)(int64_t)(int8_t)code[i + 1]
                                : displaced(next, code + i + form.length - 4);
    uint32_t target;
    if (!find(&set, to, &target)) continue;
    if (found < capacity) references[found] = (ms_reference){address + i, target, form.kind};
    found++;
  }
  return found;
}

#include "ms_word_search.h"

#include <stdbool.h>

// Most blocks have no match. A branchless test per block, which the compiler vectorizes, skips
// them.
enum { block = 32 };

size_t ms_words_equal(const uint64_t *words, size_t count, uint64_t wanted, size_t *begin,
                      uint32_t *indices, size_t most) {
  size_t found = 0, at = *begin & ~(size_t)1;
  while (at < count && found < most) {
    if (count - at >= block) {
      uint64_t hits = 0;
      for (size_t i = 0; i < block; i += 2) hits |= words[at + i] == wanted;
      if (!hits) {
        at += block;
        continue;
      }
    }
    size_t end = count - at < block ? count : at + block;
    for (; at < end && found < most; at += 2)
      if (words[at] == wanted) indices[found++] = (uint32_t)at;
  }
  *begin = at < count ? at : count;
  return found;
}

static const uint64_t pointer_bits = UINT64_C(0x00fffffffffffff8);

static bool contains(const ms_address_set *set, uint64_t address) {
  for (uint64_t place = ms_address_place(address, set->mask); set->places[place];
       place = (place + 1) & set->mask)
    if (set->places[place] == address) return true;
  return false;
}

size_t ms_words_in(const uint64_t *words, size_t count, const ms_address_set *set, size_t *begin,
                   uint32_t *indices, size_t most) {
  size_t found = 0, at = *begin;
  const uint64_t low = set->low, span = set->span;
  while (at < count && found < most) {
    if (count - at >= block) {
      uint64_t hits = 0;
      for (size_t i = 0; i < block; i++) hits |= (words[at + i] & pointer_bits) - low <= span;
      if (!hits) {
        at += block;
        continue;
      }
    }
    size_t end = count - at < block ? count : at + block;
    for (; at < end && found < most; at++) {
      uint64_t address = words[at] & pointer_bits;
      if (address - low <= span && (address & 15) == 0 && contains(set, address))
        indices[found++] = (uint32_t)at;
    }
  }
  *begin = at;
  return found;
}

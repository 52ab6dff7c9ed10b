// Searches memory that was copied from another process for words.
#ifndef MS_WORD_SEARCH_H
#define MS_WORD_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Finds `wanted` at every second word from the first on, which is where objects begin. Writes the indices of at most `most`
/// of them and returns how many it wrote; `*begin` is where to search on, `count` when all was searched.
size_t ms_words_equal(const uint64_t *words, size_t count, uint64_t wanted, size_t *begin,
                      uint32_t *indices, size_t most);

/// A set of addresses, each a multiple of 16, none 0: a hash table of `mask + 1` places, a power of two, of which 0 is empty.
typedef struct {
  const uint64_t *places;
  uint64_t mask;
  /// The lowest address, and how far the highest is above it.
  uint64_t low, span;
} ms_address_set;

/// The place of `address` in a table of `mask + 1` places, before collisions.
static inline uint64_t ms_address_place(uint64_t address, uint64_t mask) {
  return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;
}

/// Finds words that point to one of `set`, whatever their spare bits say: the upper 8 and the lower 3. As `ms_words_equal`
/// otherwise.
size_t ms_words_in(const uint64_t *words, size_t count, const ms_address_set *set, size_t *begin,
                   uint32_t *indices, size_t most);

#endif

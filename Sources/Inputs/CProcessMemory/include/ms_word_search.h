// Searches copied memory of another process for words.
#ifndef MS_WORD_SEARCH_H
#define MS_WORD_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Finds `wanted` at every second word from the first on, because objects are aligned to 16 bytes.
/// Writes the indices of at most `most` matches and returns their number. Sets `*begin` to the
/// index where the search continues, or to `count` if all words were searched.
size_t ms_words_equal(const uint64_t *words, size_t count, uint64_t wanted, size_t *begin,
                      uint32_t *indices, size_t most);

/// A set of nonzero addresses, each a multiple of 16: a hash table of `mask + 1` slots (a power of
/// two), in which 0 marks an empty slot.
typedef struct {
  const uint64_t *places;
  uint64_t mask;
  /// The lowest address, and the distance from the lowest to the highest address.
  uint64_t low, span;
} ms_address_set;

/// The initial slot of `address` in a table of `mask + 1` slots.
static inline uint64_t ms_address_place(uint64_t address, uint64_t mask) {
  return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & mask;
}

/// Finds words that point to an element of `set`, ignoring the upper 8 and the lower 3 bits of each
/// word. The other parameters are those of `ms_words_equal`.
size_t ms_words_in(const uint64_t *words, size_t count, const ms_address_set *set, size_t *begin,
                   uint32_t *indices, size_t most);

#endif

#include "ms_crc.h"

enum { polynomial = 0x82f63b78 };  // CRC-32C, reflected

/// Returns the table entry of a nibble. Sixteen entries are enough, because few processors lack the CRC instruction.
static uint32_t of_nibble(uint32_t nibble) {
  for (int bit = 0; bit < 4; bit++) nibble = nibble & 1 ? nibble >> 1 ^ polynomial : nibble >> 1;
  return nibble;
}

uint32_t ms_crc_by_table(uint32_t crc, const uint64_t *words, size_t count) {
  uint32_t table[16];
  for (uint32_t i = 0; i < 16; i++) table[i] = of_nibble(i);
  for (size_t i = 0; i < count; i++) {
    uint64_t word = words[i];
    for (int nibble = 0; nibble < 16; nibble++, word >>= 4) {
      crc = crc >> 4 ^ table[(crc ^ word) & 15];
    }
  }
  return crc;
}

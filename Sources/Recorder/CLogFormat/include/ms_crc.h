// CRC-32C over whole words: one instruction per word on processors that support it.
#ifndef MAINSTAY_CRC_H
#define MAINSTAY_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Computes the CRC by a table, for processors without the instruction. Signal safety: safe.
uint32_t ms_crc_by_table(uint32_t crc, const uint64_t *words, size_t count);

static inline bool ms_crc_is_an_instruction(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__)
  return (getauxval(AT_HWCAP) & UINT64_C(1) << 7) != 0;  // HWCAP_CRC32
#else
  return false;
#endif
}

/// Adds one word to the CRC, which is kept in 64 bits as in the instruction's register. The processor must have the
/// instruction.
static inline uint64_t ms_crc_word(uint64_t crc, uint64_t word) {
#if defined(__x86_64__)
  __asm__("crc32q %1, %0" : "+r"(crc) : "r"(word));
  return crc;
#elif defined(__aarch64__)
  // The directive allows the instruction in code for any arm64 processor; nearly all processors support it.
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  return crc;
#else
  return ms_crc_by_table((uint32_t)crc, &word, 1);
#endif
}

/// Computes the CRC of `count` words, starting from `crc`. Signal safety: safe.
static inline uint32_t ms_crc(uint32_t crc, const uint64_t *words, size_t count) {
  if (__builtin_expect(!ms_crc_is_an_instruction(), 0)) return ms_crc_by_table(crc, words, count);
  const uint64_t *end = words + count;
  uint64_t sum = crc;
  for (; end - words >= 4; words += 4) {
    sum = ms_crc_word(sum, words[0]);
    sum = ms_crc_word(sum, words[1]);
    sum = ms_crc_word(sum, words[2]);
    sum = ms_crc_word(sum, words[3]);
  }
  for (; words < end; words++) sum = ms_crc_word(sum, *words);
  return (uint32_t)sum;
}

#ifdef __cplusplus
}
#endif
#endif

// CRC-32C over whole words: one instruction a word where the processor has it.
#ifndef MAINSTAY_CRC_H
#define MAINSTAY_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The same by table, for processors without the instruction. Signal safety: safe.
uint32_t ms_crc_by_table(uint32_t crc, const uint64_t *words, size_t count);

static inline bool ms_crc_is_an_instruction(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
  return true;
#else
  return false;
#endif
}

static inline uint32_t ms_crc_word(uint32_t crc, uint64_t word) {
#if defined(__x86_64__)
  uint64_t wide = crc;
  __asm__("crc32q %1, %0" : "+r"(wide) : "rm"(word));
  return (uint32_t)wide;
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
  return __crc32cd(crc, word);
#else
  return ms_crc_by_table(crc, &word, 1);
#endif
}

/// Signal safety: safe.
static inline uint32_t ms_crc(uint32_t crc, const uint64_t *words, size_t count) {
  if (__builtin_expect(!ms_crc_is_an_instruction(), 0)) return ms_crc_by_table(crc, words, count);
  const uint64_t *end = words + count;
  for (; end - words >= 4; words += 4) {
    crc = ms_crc_word(crc, words[0]);
    crc = ms_crc_word(crc, words[1]);
    crc = ms_crc_word(crc, words[2]);
    crc = ms_crc_word(crc, words[3]);
  }
  for (; words < end; words++) crc = ms_crc_word(crc, *words);
  return crc;
}

#ifdef __cplusplus
}
#endif
#endif

// Searches for about a hundred substrings at once. A filter on the first five bytes tests 32
// positions at a time for the groups of substrings that may begin there; a comparison confirms each
// candidate. Substrings with similar beginnings share a group, which keeps the filter selective.

// For the GNU extensions memmem and memrchr.
#define _GNU_SOURCE

#include "ms_scan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define FILTER 5
#define SHORTEST 3
#define BUCKETS 8

typedef struct {
  char *bytes;
  size_t size;
  // The first bytes, which reject most candidates without a call to memcmp.
  uint32_t head;
} needle;

struct ms_needles {
  // Sorted, so that each bucket is a contiguous range of substrings with similar beginnings.
  needle *all;
  size_t count;
  size_t first[BUCKETS + 1];
  // For each of the first bytes: the buckets with a substring that has this low or high half byte
  // there.
  uint8_t low[FILTER][16];
  uint8_t high[FILTER][16];
  bool has_avx2;
};

static uint32_t head_of(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

static int compare(const void *left, const void *right) {
  return strcmp(((const needle *)left)->bytes, ((const needle *)right)->bytes);
}

// Adds a substring to a bucket's filter. After the end of a short substring, any byte matches.
static void let_through(ms_needles *needles, const needle *text, uint8_t bucket) {
  for (size_t at = 0; at < FILTER; at++) {
    uint8_t byte = at < text->size ? (uint8_t)text->bytes[at] : 0;
    for (uint8_t half = 0; half < 16; half++) {
      if (at >= text->size || half == (byte & 15)) needles->low[at][half] |= bucket;
      if (at >= text->size || half == byte >> 4) needles->high[at][half] |= bucket;
    }
  }
}

ms_needles *ms_needles_make(const char *const *texts, size_t count) {
  ms_needles *needles = calloc(1, sizeof *needles);
  if (!needles) return NULL;
  needles->all = calloc(count ? count : 1, sizeof *needles->all);
  for (size_t i = 0; needles->all && i < count; i++) {
    size_t size = strlen(texts[i]);
    if (size < SHORTEST) continue;
    needle *added = &needles->all[needles->count];
    added->bytes = malloc(size + 1);
    if (!added->bytes) continue;
    memcpy(added->bytes, texts[i], size + 1);
    added->size = size;
    added->head = head_of((const uint8_t *)texts[i]);
    needles->count++;
  }
  if (needles->count) qsort(needles->all, needles->count, sizeof *needles->all, compare);
  for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
    size_t end = needles->count * (bucket + 1) / BUCKETS;
    needles->first[bucket + 1] = end;
    for (size_t i = needles->first[bucket]; i < end; i++) {
      let_through(needles, &needles->all[i], (uint8_t)(1u << bucket));
    }
  }
#if defined(__x86_64__)
  needles->has_avx2 = __builtin_cpu_supports("avx2");
#endif
  return needles;
}

void ms_needles_free(ms_needles *needles) {
  if (!needles) return;
  for (size_t i = 0; needles->all && i < needles->count; i++) free(needles->all[i].bytes);
  free(needles->all);
  free(needles);
}

// True if a substring of one of the buckets begins at `at`. At least as many bytes as the shortest
// substring must be left.
static bool begins(const ms_needles *needles, uint8_t buckets, const uint8_t *at, size_t left) {
  uint32_t head = head_of(at);
  for (; buckets; buckets &= (uint8_t)(buckets - 1)) {
    int bucket = __builtin_ctz(buckets);
    for (size_t i = needles->first[bucket]; i < needles->first[bucket + 1]; i++) {
      const needle *text = &needles->all[i];
      if (text->head == head && text->size <= left && memcmp(at, text->bytes, text->size) == 0) {
        return true;
      }
    }
  }
  return false;
}

static uint8_t filter(const ms_needles *needles, const uint8_t *at, size_t left) {
  uint8_t buckets = 0xff;
  for (size_t i = 0; i < FILTER && i < left; i++) {
    buckets &= needles->low[i][at[i] & 15] & needles->high[i][at[i] >> 4];
  }
  return buckets;
}

static size_t find_plain(
    const ms_needles *needles, const uint8_t *bytes, size_t size, size_t from) {
  for (size_t at = from; at + SHORTEST <= size; at++) {
    uint8_t buckets = filter(needles, bytes + at, size - at);
    if (buckets && begins(needles, buckets, bytes + at, size - at)) return at;
  }
  return size;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static __m256i table(const uint8_t half[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)half));
}

__attribute__((target("avx2"))) static __m256i buckets_at(
    __m256i block, __m256i low, __m256i high) {
  const __m256i mask = _mm256_set1_epi8(15);
  __m256i lows = _mm256_shuffle_epi8(low, _mm256_and_si256(block, mask));
  __m256i highs =
      _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(block, 4), mask));
  return _mm256_and_si256(lows, highs);
}

__attribute__((target("avx2"))) static size_t find_avx2(
    const ms_needles *needles, const uint8_t *bytes, size_t size, size_t from) {
  __m256i low[FILTER], high[FILTER];
  for (size_t i = 0; i < FILTER; i++) {
    low[i] = table(needles->low[i]);
    high[i] = table(needles->high[i]);
  }
  size_t at = from;
  for (; at + 32 + FILTER <= size; at += 32) {
    __m256i found = _mm256_set1_epi8(-1);
    for (size_t i = 0; i < FILTER; i++) {
      __m256i block = _mm256_loadu_si256((const __m256i *)(bytes + at + i));
      found = _mm256_and_si256(found, buckets_at(block, low[i], high[i]));
    }
    __m256i none = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
    uint32_t candidates = ~(uint32_t)_mm256_movemask_epi8(none);
    if (!candidates) continue;
    uint8_t buckets[32];
    _mm256_storeu_si256((__m256i *)buckets, found);
    while (candidates) {
      int next = __builtin_ctz(candidates);
      size_t place = at + (size_t)next;
      if (begins(needles, buckets[next], bytes + place, size - place)) return place;
      candidates &= candidates - 1;
    }
  }
  return find_plain(needles, bytes, size, at);
}
#endif

size_t ms_needles_find(
    const ms_needles *needles, const uint8_t *bytes, size_t size, size_t from) {
  if (from >= size) return size;
#if defined(__x86_64__)
  if (needles->has_avx2) return find_avx2(needles, bytes, size, from);
#endif
  return find_plain(needles, bytes, size, from);
}

ptrdiff_t ms_find(
    const uint8_t *bytes, size_t size, const uint8_t *text, size_t text_size, bool last) {
  if (text_size == 0 || text_size > size) return -1;
  if (!last) {
    const uint8_t *found = memmem(bytes, size, text, text_size);
    return found ? found - bytes : -1;
  }
  for (size_t end = size - text_size + 1; end > 0;) {
    const uint8_t *at = memrchr(bytes, text[0], end);
    if (!at) return -1;
    if (memcmp(at, text, text_size) == 0) return at - bytes;
    end = (size_t)(at - bytes);
  }
  return -1;
}

// Reads numbers and strings from untrusted bytes.
#ifndef MS_BYTES_H
#define MS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// A position in untrusted bytes, and their end. A read past the end returns zeros and sets `failed`.
typedef struct {
  const uint8_t *at, *end;
  bool failed;
} ms_bytes;

static inline size_t ms_left(const ms_bytes *bytes) { return (size_t)(bytes->end - bytes->at); }

/// Returns the current position and skips `size` bytes; returns NULL if fewer bytes are left.
static inline const uint8_t *ms_take(ms_bytes *bytes, uint64_t size) {
  if (size > ms_left(bytes)) {
    bytes->at = bytes->end;
    bytes->failed = true;
    return NULL;
  }
  const uint8_t *at = bytes->at;
  bytes->at += size;
  return at;
}

static inline uint8_t ms_u8(ms_bytes *bytes) {
  const uint8_t *at = ms_take(bytes, 1);
  return at ? *at : 0;
}

static inline uint16_t ms_u16(ms_bytes *bytes) {
  uint16_t value = 0;
  const uint8_t *at = ms_take(bytes, sizeof value);
  if (at) memcpy(&value, at, sizeof value);
  return value;
}

static inline uint32_t ms_u32(ms_bytes *bytes) {
  uint32_t value = 0;
  const uint8_t *at = ms_take(bytes, sizeof value);
  if (at) memcpy(&value, at, sizeof value);
  return value;
}

static inline uint64_t ms_u64(ms_bytes *bytes) {
  uint64_t value = 0;
  const uint8_t *at = ms_take(bytes, sizeof value);
  if (at) memcpy(&value, at, sizeof value);
  return value;
}

/// Reads a number of 1, 2, 3, 4 or 8 bytes in native byte order. Skips a number of any other size, and returns 0.
static inline uint64_t ms_number(ms_bytes *bytes, uint64_t size) {
  switch (size) {
    case 1: return ms_u8(bytes);
    case 2: return ms_u16(bytes);
    case 4: return ms_u32(bytes);
    case 8: return ms_u64(bytes);
    case 3: {
      const uint8_t *at = ms_take(bytes, 3);
      if (!at) return 0;
      bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
      return (uint32_t)at[big ? 2 : 0] | (uint32_t)at[1] << 8 | (uint32_t)at[big ? 0 : 2] << 16;
    }
    default: ms_take(bytes, size); return 0;
  }
}

/// Reads an unsigned LEB128 number of any length; bits above the 64th are discarded.
static inline uint64_t ms_uleb(ms_bytes *bytes) {
  if (bytes->at < bytes->end && *bytes->at < 128) return *bytes->at++;
  uint64_t value = 0;
  for (unsigned shift = 0; bytes->at < bytes->end; shift += 7) {
    uint8_t byte = *bytes->at++;
    if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  bytes->failed = true;
  return 0;
}

static inline int64_t ms_sleb(ms_bytes *bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; bytes->at < bytes->end;) {
    uint8_t byte = *bytes->at++;
    if (shift < 64) value |= (uint64_t)(byte & 127) << shift;
    shift += 7;
    if (byte < 128) {
      if (byte & 64 && shift < 64) value |= UINT64_MAX << shift;
      return (int64_t)value;
    }
  }
  bytes->failed = true;
  return 0;
}

/// Reads a terminated string; returns NULL if the terminator is missing.
static inline const char *ms_string(ms_bytes *bytes) {
  const uint8_t *end = memchr(bytes->at, 0, ms_left(bytes));
  return (const char *)ms_take(bytes, end ? (uint64_t)(end - bytes->at) + 1 : UINT64_MAX);
}

#endif

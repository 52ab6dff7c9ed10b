// Reads DWARF's encoded numbers from an object in memory, with bounds checks.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_DWARF_BYTES_H
#define MAINSTAY_WALK_DWARF_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "platform.h"

MS_WALKS_BEGIN

/// A cursor in a block of bytes. Reading past `end` sets `failed` and yields 0.
typedef struct {
  const uint8_t *at;
  const uint8_t *end;
  bool failed;
} ms_bytes;

static inline bool ms_bytes_left(const ms_bytes *bytes) {
  return !bytes->failed && bytes->at < bytes->end;
}

static inline bool ms_bytes_have(ms_bytes *bytes, uint64_t count) {
  if (!bytes->failed && (uint64_t)(bytes->end - bytes->at) >= count) return true;
  bytes->failed = true;
  return false;
}

static inline uint64_t ms_bytes_unsigned(ms_bytes *bytes, uint32_t size) {
  uint64_t value = 0;
  if (!ms_bytes_have(bytes, size)) return 0;
  memcpy(&value, bytes->at, size);
  bytes->at += size;
  return value;
}

static inline int64_t ms_bytes_signed(ms_bytes *bytes, uint32_t size) {
  uint32_t unused = 64 - 8 * size;
  return (int64_t)(ms_bytes_unsigned(bytes, size) << unused) >> unused;
}

static inline uint8_t ms_bytes_byte(ms_bytes *bytes) {
  return (uint8_t)ms_bytes_unsigned(bytes, 1);
}

static inline uint64_t ms_bytes_uleb(ms_bytes *bytes) {
  uint64_t value = 0;
  for (uint32_t shift = 0;; shift += 7) {
    uint8_t byte = ms_bytes_byte(bytes);
    if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

static inline int64_t ms_bytes_sleb(ms_bytes *bytes) {
  uint64_t value = 0;
  for (uint32_t shift = 0;;) {
    uint8_t byte = ms_bytes_byte(bytes);
    if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    if (byte & 0x40 && shift < 64) value |= ~UINT64_C(0) << shift;
    return (int64_t)value;
  }
}

static inline void ms_bytes_skip(ms_bytes *bytes, uint64_t count) {
  if (ms_bytes_have(bytes, count)) bytes->at += count;
}

/// Returns the next `count` bytes as a separate block.
static inline ms_bytes ms_bytes_take(ms_bytes *bytes, uint64_t count) {
  ms_bytes block = {bytes->at, bytes->at, !ms_bytes_have(bytes, count)};
  if (!block.failed) block.end = bytes->at += count;
  return block;
}

/// Pointer encodings of .eh_frame (DW_EH_PE_…).
enum {
  ms_pointer_relative = 0x10,       // relative to the address of the pointer itself
  ms_pointer_data_relative = 0x30,  // relative to the start of .eh_frame_hdr
};

/// Reads a pointer; fails on encodings that linkers do not use in these sections.
static inline uint64_t ms_bytes_pointer(ms_bytes *bytes, uint8_t encoding, uint64_t data_base) {
  uint64_t base = 0;
  switch (encoding & 0x70) {
    case 0: break;
    case ms_pointer_relative: base = (uint64_t)bytes->at; break;
    case ms_pointer_data_relative: base = data_base; break;
    default: bytes->failed = true; return 0;
  }
  switch (encoding & 0x0F) {
    case 0x00: case 0x04: case 0x0C: return base + ms_bytes_unsigned(bytes, 8);
    case 0x01: return base + ms_bytes_uleb(bytes);
    case 0x02: return base + ms_bytes_unsigned(bytes, 2);
    case 0x03: return base + ms_bytes_unsigned(bytes, 4);
    case 0x09: return base + (uint64_t)ms_bytes_sleb(bytes);
    case 0x0A: return base + (uint64_t)ms_bytes_signed(bytes, 2);
    case 0x0B: return base + (uint64_t)ms_bytes_signed(bytes, 4);
    default: bytes->failed = true; return 0;
  }
}

MS_WALKS_END

#endif

// Removes pointer authentication codes from return addresses.
#ifndef MAINSTAY_RETURN_ADDRESS_H
#define MAINSTAY_RETURN_ADDRESS_H

#include <stdint.h>

/// Returns the address without its signature. arm64 code that is built with pointer authentication, as Debian's
/// libraries are, stores a signature in the upper bits of return addresses.
///
/// Signal safety: safe; one instruction, which older processors execute as a no-op.
static inline uintptr_t ms_without_signature(uintptr_t address) {
#if defined(__aarch64__)
  register uintptr_t signed_one __asm__("x30") = address;
  __asm__("hint #7" : "+r"(signed_one));  // xpaclri
  return signed_one;
#else
  return address;
#endif
}

#endif

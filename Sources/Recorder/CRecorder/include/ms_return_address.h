// Return addresses as they stand in memory and in registers.
#ifndef MAINSTAY_RETURN_ADDRESS_H
#define MAINSTAY_RETURN_ADDRESS_H

#include <stdint.h>

/// The address a signed one stands for. arm64 code that is built with pointer authentication, as Debian's libraries
/// are, keeps a signature in the upper bits of a return address.
///
/// Signal safety: safe; one instruction, which older processors pass over.
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

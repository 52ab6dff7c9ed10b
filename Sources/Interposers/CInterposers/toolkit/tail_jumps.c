#include "tail_jumps.h"

#include <stdint.h>
#include <string.h>

#include "CRecorder.h"
#include "list.h"

// A jump to another library goes through a word that the loader fills: directly, or by a stub of the linker.

enum { most_code = 1 << 14, stub = 16 };

static uintptr_t after(const uint8_t *instruction, size_t size) {
  int32_t distance;
  memcpy(&distance, instruction + size - sizeof distance, sizeof distance);
  return (uintptr_t)instruction + size + (uintptr_t)(intptr_t)distance;
}

/// True if the code is `jmp *word(%rip)`, and the word contains `function`.
static bool jumps_by_word(const uint8_t *at, uintptr_t function) {
  if (at[0] != 0xff || at[1] != 0x25) return false;
  uintptr_t word = after(at, 6);
  return word % sizeof word == 0 && ms_is_readable(word) && *(const uintptr_t *)word == function;
}

/// True if the code is a stub, with or without `endbr64` and `bnd`.
static bool is_stub(uintptr_t place, uintptr_t function) {
  if (!ms_is_readable(place) || !ms_is_readable(place + stub)) return false;
  const uint8_t *at = (const uint8_t *)place;
  if (memcmp(at, "\xf3\x0f\x1e\xfa", 4) == 0) at += 4;
  if (*at == 0xf2) at++;
  return jumps_by_word(at, function);
}

bool ms_toolkit_ends_in(ms_toolkit_entry *function, const ms_toolkit_entry *other) {
  const uint8_t *code = ms_toolkit_real(function);
  uintptr_t front = (uintptr_t)ms_toolkit_front(other);
  size_t size = code ? ms_symbol_size(code) : 0;
  if (size > most_code) size = most_code;
  // The search starts at every byte, because bytes that are no such instruction rarely refer to exactly this word.
  for (size_t i = 0; i + 6 <= size; i++) {
    if (jumps_by_word(code + i, front)) return true;
    if (code[i] == 0xe9 && is_stub(after(code + i, 5), front)) return true;
  }
  // A jump at the end of the code.
  return size >= 5 && code[size - 5] == 0xe9 && is_stub(after(code + size - 5, 5), front);
}

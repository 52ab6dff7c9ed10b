// Recovery points, at which a step continues after a fault.
#ifndef MAINSTAY_FAULT_RECOVERY_H
#define MAINSTAY_FAULT_RECOVERY_H

#include <stdint.h>

typedef struct {
#if defined(__x86_64__)
  uintptr_t registers[8];
#elif defined(__aarch64__)
  uintptr_t registers[22];
#else
#error "Which registers a function keeps is not known for this architecture."
#endif
} ms_place;

/// Saves the registers and the place of the call, and returns 0. Returns again, with 1, after `ms_go_to_place`.
/// Signal safety: safe.
__attribute__((returns_twice, visibility("hidden"))) int ms_note_place(ms_place *place);

/// Continues at `place`, in a function that has not returned yet. Signal safety: safe.
__attribute__((noreturn, visibility("hidden"))) void ms_go_to_place(ms_place *place);

#endif

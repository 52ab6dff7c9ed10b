// Returns to the start of a step that met a fault.
//
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

/// Notes where it is called; 0. Returns once more, with 1, when `ms_go_to_place` goes there. Signal safety: safe.
__attribute__((returns_twice, visibility("hidden"))) int ms_note_place(ms_place *place);

/// Signal safety: safe.
__attribute__((noreturn, visibility("hidden"))) void ms_go_to_place(ms_place *place);

#endif

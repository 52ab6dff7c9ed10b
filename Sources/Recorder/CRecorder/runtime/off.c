#include "ms_off.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// 0: not looked up yet.
enum { is_on = 1, is_off };

static _Atomic int state;

/// Searches the environment without `getenv`, which reads the same memory but is not declared signal-safe.
static int look(void) {
  for (char **variable = environ; variable && *variable; variable++) {
    if (strcmp(*variable, "MAINSTAY=off") == 0) return is_off;
  }
  return is_on;
}

bool ms_is_off(void) {
  int known = atomic_load_explicit(&state, memory_order_relaxed);
  if (known == 0) {
    known = look();
    atomic_store_explicit(&state, known, memory_order_relaxed);
  }
  return known == is_off;
}

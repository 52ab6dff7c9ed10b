#include <stdatomic.h>
#include <stddef.h>

#include "CProcessWatch.h"

static void (*_Atomic joined)(void);
static void (*_Atomic alone)(void);
static _Atomic int lookers;

void ms_looks_join(void (*look)(void), void (*left_alone)(void)) {
  atomic_store(&alone, left_alone);
  atomic_store(&joined, look);
}

bool ms_looks_are_made(void) { return atomic_load(&lookers) > 0; }

void ms_looks_begin(void) { atomic_fetch_add(&lookers, 1); }

void ms_looks_now(void) {
  void (*look)(void) = atomic_load(&joined);
  if (look) look();
}

void ms_looks_end(void) {
  if (atomic_fetch_sub(&lookers, 1) > 1) return;
  void (*left)(void) = atomic_load(&alone);
  if (left) left();
}

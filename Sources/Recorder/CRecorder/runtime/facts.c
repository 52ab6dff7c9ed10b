#include "ms_facts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

uint32_t ms_facts_denied;

// The known facts from bit 0, the facts that were looked up from bit 32.
static _Atomic uint64_t word;

bool ms_fact_learned(ms_fact fact, bool is_known) {
  bool may_use = is_known && !ms_fact_is_denied(fact);
  uint64_t known = UINT64_C(1) << fact;
  if (!may_use) atomic_fetch_and(&word, ~known);
  atomic_fetch_or(&word, known << 32 | (may_use ? known : 0));
  return may_use;
}

uint64_t ms_facts_word(void) { return atomic_load(&word); }

#ifdef MS_DENY_FACTS
// A constructor with high priority, because other constructors and signal handlers query facts.
__attribute__((constructor(101))) static void deny(void) {
  const char *names = getenv("MAINSTAY_DENY_FACTS");
  while (names && *names) {
    size_t size = strcspn(names, ",");
    for (uint32_t i = 0; i < MS_FACTS; i++) {
      bool is_named = strlen(ms_fact_name(i)) == size && strncmp(names, ms_fact_name(i), size) == 0;
      if (is_named || (size == 3 && strncmp(names, "all", 3) == 0)) ms_facts_denied |= 1U << i;
    }
    names += size + (names[size] == ',');
  }
}
#endif

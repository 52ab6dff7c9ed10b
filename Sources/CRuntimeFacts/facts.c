#include "ms_facts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

uint32_t ms_facts_denied;

typedef struct {
  const char *name;
  const char *without;
} fact;

static const fact facts[MS_FACTS] = {
    [MS_FACT_RUNTIME_VERSION] = {"runtime-version", "failed checks of the main actor are not explained"},
    [MS_FACT_LOADER_INDEX] = {"loader-index", "libunwind walks stacks, and modules loaded later have no names"},
    [MS_FACT_QUEUE_LAYOUT] = {"queue-layout", "a check off the main queue says \"perhaps\""},
    [MS_FACT_QUEUE_PROOF] = {"queue-proof", "a check off the main queue says \"perhaps\""},
    [MS_FACT_PERMANENT_OBJECTS] = {"permanent-objects", "each walk of a stack looks up its rules again"},
    [MS_FACT_TASK_FRAMES] = {"task-frames", "stacks end without the async callers of a task"},
    [MS_FACT_TASK_GETTERS] = {"task-getters", "no task is named, in crumbs and in crashes"},
    [MS_FACT_TASK_LOCALS] = {"task-locals", "crumbs and crashes lack the values of withCrumbs"},
    [MS_FACT_ISOLATION_HOOK] = {"isolation-hook", "failed checks of the main actor are not explained"},
    [MS_FACT_RUNTIME_MESSAGES] = {"runtime-messages", "what the runtime complains of is not recorded"},
    [MS_FACT_TASK_NAMES] = {"task-names", "a crash does not say what its task is called"},
    [MS_FACT_WAITING_TASKS] = {"waiting-tasks", "tasks that wait are not listed"},
    [MS_FACT_ABORT_MESSAGE] = {"abort-message", "a crash lacks what the C library said before an abort"},
};

// Known from bit 0, asked for from bit 32.
static _Atomic uint64_t word;

bool ms_fact_learned(ms_fact fact, bool is_known) {
  bool may_use = is_known && !ms_fact_is_denied(fact);
  uint64_t known = UINT64_C(1) << fact;
  if (!may_use) atomic_fetch_and(&word, ~known);
  atomic_fetch_or(&word, known << 32 | (may_use ? known : 0));
  return may_use;
}

uint64_t ms_facts_word(void) { return atomic_load(&word); }

const char *ms_fact_name(uint32_t bit) { return bit < MS_FACTS ? facts[bit].name : NULL; }
const char *ms_fact_without(uint32_t bit) { return bit < MS_FACTS ? facts[bit].without : NULL; }

#ifdef MS_DENY_FACTS
// A constructor, as facts are asked for by other constructors and by signal handlers.
__attribute__((constructor(101))) static void deny(void) {
  const char *names = getenv("MAINSTAY_DENY_FACTS");
  while (names && *names) {
    size_t size = strcspn(names, ",");
    for (uint32_t i = 0; i < MS_FACTS; i++) {
      bool is_named = strlen(facts[i].name) == size && strncmp(names, facts[i].name, size) == 0;
      if (is_named || (size == 3 && strncmp(names, "all", 3) == 0)) ms_facts_denied |= 1U << i;
    }
    names += size + (names[size] == ',');
  }
}
#endif

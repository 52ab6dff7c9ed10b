#include "ms_fact_names.h"

#include <stddef.h>

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
    [MS_FACT_LOCK_OWNER] = {"lock-owner", "a hang does not name the owner of a pthread mutex"},
};

const char *ms_fact_name(uint32_t bit) { return bit < MS_FACTS ? facts[bit].name : NULL; }
const char *ms_fact_without(uint32_t bit) { return bit < MS_FACTS ? facts[bit].without : NULL; }

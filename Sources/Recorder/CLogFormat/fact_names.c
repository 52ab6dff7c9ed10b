#include "ms_fact_names.h"

#include <stddef.h>

typedef struct {
  const char *name;
  const char *without;
} fact;

static const fact facts[MS_FACTS] = {
    [MS_FACT_RUNTIME_VERSION] = {"runtime-version", "failed checks of the main actor are not explained"},
    [MS_FACT_LOADER_INDEX] = {"loader-index", "libunwind walks stacks, and modules loaded later have no symbols"},
    [MS_FACT_QUEUE_LAYOUT] = {"queue-layout", "reports of violations off the main queue say \"perhaps\""},
    [MS_FACT_QUEUE_PROOF] = {"queue-proof", "reports of violations off the main queue say \"perhaps\""},
    [MS_FACT_PERMANENT_OBJECTS] = {"permanent-objects", "each stack walk looks up its unwind rules again"},
    [MS_FACT_TASK_FRAMES] = {"task-frames", "stacks end without the async callers of a task"},
    [MS_FACT_TASK_GETTERS] = {"task-getters", "crumbs and crashes have no task names"},
    [MS_FACT_TASK_LOCALS] = {"task-locals", "crumbs and crashes lack the values of withCrumbs"},
    [MS_FACT_ISOLATION_HOOK] = {"isolation-hook", "failed checks of the main actor are not explained"},
    [MS_FACT_RUNTIME_MESSAGES] = {"runtime-messages", "messages of the Swift runtime are not recorded"},
    [MS_FACT_TASK_NAMES] = {"task-names", "a crash lacks the name of its task"},
    [MS_FACT_WAITING_TASKS] = {"waiting-tasks", "waiting tasks are not listed"},
    [MS_FACT_ABORT_MESSAGE] = {"abort-message", "a crash lacks the C library's abort message"},
    [MS_FACT_LOCK_OWNER] = {"lock-owner", "a hang does not name the owner of a pthread mutex"},
    [MS_FACT_THREAD_LIST] = {"thread-list", "a crash has no other threads, and only the main queue is watched for hangs"},
};

const char *ms_fact_name(uint32_t bit) { return bit < MS_FACTS ? facts[bit].name : NULL; }
const char *ms_fact_without(uint32_t bit) { return bit < MS_FACTS ? facts[bit].without : NULL; }

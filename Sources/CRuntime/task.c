#include "CRuntime.h"

#include <stddef.h>
#include <string.h>

#include "swift_call.h"

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL bool swift_task_isCurrentExecutorWithFlags(ms_executor executor,
                                                               uintptr_t flags)
    __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern MS_SWIFT_CALL uint32_t swift_task_getJobFlags(void *job) __attribute__((weak));
extern MS_SWIFT_CALL uintptr_t swift_task_currentPriority(void *task) __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getCurrentExecutor(void) __attribute__((weak));
extern MS_SWIFT_CALL ms_executor swift_task_getMainExecutor(void) __attribute__((weak));

extern MS_SWIFT_CALL void *swift_task_localValueGet(const void *key) __attribute__((weak));

const void *ms_task_local(const void *key) {
  return key && swift_task_localValueGet ? swift_task_localValueGet(key) : NULL;
}

uint64_t ms_task_id(void) {
  if (!swift_task_getCurrent || !swift_task_getJobTaskId) return 0;
  void *task = swift_task_getCurrent();
  return task ? swift_task_getJobTaskId(task) : 0;
}

ms_executor ms_executor_here(void) {
  ms_executor none = {NULL, 0};
  if (ms_task_id() == 0 || !swift_task_getCurrentExecutor) return none;
  return swift_task_getCurrentExecutor();
}

bool ms_executor_is_main(ms_executor executor) {
  return swift_task_getMainExecutor && executor.identity == swift_task_getMainExecutor().identity;
}

bool ms_executor_is_current(ms_executor executor) {
  if (swift_task_isCurrentExecutorWithFlags) return swift_task_isCurrentExecutorWithFlags(executor, 0);
  // The runtime of Swift 6.0 has a function of a shorter name alone, which may trap for an answer.
  return executor.identity && ms_executor_here().identity == executor.identity;
}

const void *ms_task_here(void) { return swift_task_getCurrent ? swift_task_getCurrent() : NULL; }

// --- Whose child a task is
//
// A child keeps its parent behind all that every task has. Where that is, is the runtime's own
// business, so it is learned from a child whose parent is known, and checked with another.

enum {
  is_child = 1 << 24,  // in a job's flags
  first_offset = 2 * sizeof(uintptr_t),
  end_offset = 96 * sizeof(uintptr_t),
};

static size_t parent_offset;  // 0: not known
static void *main_executor;

// What is tried may be anything that can be read: no sanitizer's business.
__attribute__((no_sanitize("address", "thread")))
static const void *word_at(uintptr_t address) { return *(const void *const *)address; }

static bool can_be_read(ms_can_read can_read, uintptr_t address, size_t size) {
  if (address % sizeof(uintptr_t) != 0 || address == 0) return false;
  return can_read == NULL || (can_read(address) && can_read(address + size - sizeof(uintptr_t)));
}

static const void *parent_of(void *task, ms_can_read can_read) {
  if (parent_offset == 0 || !(swift_task_getJobFlags(task) & is_child)) return NULL;
  uintptr_t at = (uintptr_t)task + parent_offset;
  if (!can_be_read(can_read, at, sizeof(uintptr_t))) return NULL;
  const void *parent = word_at(at);
  return can_be_read(can_read, (uintptr_t)parent, end_offset / 4) ? parent : NULL;
}

void ms_task_learn_child(const void *parent, ms_can_read can_read) {
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  if (!task || !parent || !swift_task_getJobFlags || !swift_task_getJobTaskId) return;
  if (!(swift_task_getJobFlags(task) & is_child)) return;
  if (parent_offset != 0) {  // the check
    if (parent_of(task, can_read) != parent) parent_offset = 0;
    return;
  }
  for (size_t at = first_offset; at < end_offset; at += sizeof(uintptr_t)) {
    if (!can_be_read(can_read, (uintptr_t)task + at, sizeof(uintptr_t))) return;
    if (word_at((uintptr_t)task + at) != parent) continue;
    parent_offset = at;
    return;
  }
}

void ms_task_learn_main(void) {
  if (swift_task_getMainExecutor) main_executor = swift_task_getMainExecutor().identity;
}

uint64_t ms_task_parent_id(void) {
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  // A parent outlives its children.
  const void *parent = task && parent_offset != 0 ? parent_of(task, NULL) : NULL;
  return parent ? swift_task_getJobTaskId((void *)parent) : 0;
}

// --- What it runs on

/// The description of a type, as the compiler lays it out. Each of its addresses is relative.
typedef struct {
  uint32_t flags;  // the kind in the lowest bits
  int32_t parent;
  int32_t name;
} type_description;

enum { class_kind = 0, description_of_class = 16, description_offset = 40 };

__attribute__((no_sanitize("address", "thread")))
static void copy_name(uintptr_t from, ms_can_read can_read, char *name) {
  enum { page = 4096 };
  size_t length = 0;
  for (; length + 1 < MS_TYPE_NAME_ROOM; length++) {
    uintptr_t at = from + length;
    bool asks = length == 0 || at % page == 0;
    if (asks && can_read && !can_read(at & ~(sizeof(uintptr_t) - 1))) break;
    name[length] = *(const char *)at;
    if (name[length] == 0) return;
  }
  name[length] = 0;
}

void ms_type_of_object(uintptr_t object, ms_can_read can_read, char name[MS_TYPE_NAME_ROOM]) {
  name[0] = 0;
  if (!can_be_read(can_read, object, sizeof(uintptr_t))) return;
  uintptr_t class = (uintptr_t)word_at(object);
  if (!can_be_read(can_read, class, description_offset + sizeof(uintptr_t))) return;
  if ((uintptr_t)word_at(class) != class_kind) return;
  uintptr_t at = (uintptr_t)word_at(class + description_offset);
  if (at % sizeof(uint32_t) != 0 || at == 0) return;
  uintptr_t first = at & ~(sizeof(uintptr_t) - 1);
  if (!can_be_read(can_read, first, 3 * sizeof(uintptr_t))) return;
  const type_description *description = (const type_description *)at;
  if ((description->flags & 31) != description_of_class) return;
  copy_name((uintptr_t)&description->name + (uintptr_t)(intptr_t)description->name, can_read, name);
}

static void describe_executor(ms_can_read can_read, ms_task_facts *facts) {
  if (!swift_task_getCurrentExecutor) return;
  ms_executor executor = swift_task_getCurrentExecutor();
  facts->executor = (uintptr_t)executor.identity;
  if (executor.identity == NULL) {
    facts->place = MS_TASK_ON_NO_ACTOR;
  } else if (executor.identity == main_executor) {
    facts->place = MS_TASK_ON_MAIN_ACTOR;
  } else {
    facts->place = executor.implementation == 0 ? MS_TASK_ON_ACTOR : MS_TASK_ON_EXECUTOR;
    ms_type_of_object(facts->executor, can_read, facts->type);
  }
}

bool ms_task_facts_here(ms_can_read can_read, ms_task_facts *facts) {
  *facts = (ms_task_facts){.place = MS_TASK_PLACE_UNKNOWN};
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  if (task == NULL || !swift_task_getJobTaskId) return false;
  facts->task = swift_task_getJobTaskId(task);
  const void *parent = parent_of(task, can_read);
  if (parent) facts->parent = swift_task_getJobTaskId((void *)parent);
  if (swift_task_currentPriority) facts->priority = (uint8_t)swift_task_currentPriority(task);
  describe_executor(can_read, facts);
  return true;
}

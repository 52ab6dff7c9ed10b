// The name of the task that crashed, without the lock under which the runtime reads it.
//
// A task has a list of records, and its name is one of them. A thread that cancels the task holds the list's lock
// while the host's own code runs, for any length of time, so a handler must not wait for the lock. A handler can read
// the list without the lock: a record is linked before it is visible, and the name exists for the whole life of the
// task. The location of the list and the kind of the record are private to the runtime. Both are learned from a task
// whose name is known, and verified with other tasks.

#include <stddef.h>
#include <string.h>

#include "CRecorder.h"
#include "crash.h"

typedef struct task_record {
  uintptr_t flags;  // the kind in the lowest byte
  const struct task_record *next;
  const char *name;
} task_record;

enum {
  most_records = 64,
  first_offset = 2 * sizeof(uintptr_t),  // after the object header
  end_offset = 32 * sizeof(uintptr_t),
};

typedef struct {
  uint32_t list;  // the offset of the list in a task; 0: unknown
  uint32_t kind;  // the kind of a name record
} name_place;

static name_place learned;

// A candidate for a record may be any readable memory, which sanitizers must not check.
#define MS_READS_ANYTHING __attribute__((no_sanitize("address", "thread")))

MS_READS_ANYTHING static uint32_t kind_of(const task_record *record) {
  return record->flags & 0xff;
}

MS_READS_ANYTHING static const task_record *list_at(const void *task, uint32_t offset) {
  return *(const task_record *const *)((const char *)task + offset);
}

static bool is_record(const task_record *record) {
  uintptr_t address = (uintptr_t)record;
  return address % sizeof(uintptr_t) == 0 && ms_is_readable(address) &&
         ms_is_readable(address + offsetof(task_record, name));
}

MS_READS_ANYTHING static const char *name_of(const void *task) {
  if (learned.list == 0) return NULL;
  const task_record *record = list_at(task, learned.list);
  for (int i = 0; i < most_records && record && is_record(record); i++, record = record->next) {
    if (kind_of(record) == learned.kind) return record->name;
  }
  return NULL;
}

void ms_record_task_name(ms_crash *crash) {
  if (!ms_sources.current_task || !ms_sources.task_id) return;
  void *task = ms_sources.current_task();
  const char *name = task ? name_of(task) : NULL;
  if (name == NULL) return;
  size_t size = strnlen(name, MS_TASK_NAME_LIMIT);
  ms_crash_task_name_record *record = ms_crash_begin(crash->log, MS_RECORD_CRASH_TASK_NAME,
                                                     crash->number, sizeof *record + size);
  if (record == NULL) return;
  record->task = ms_sources.task_id(task);
  record->size = (uint16_t)size;
  memcpy(record + 1, name, size);
  ms_crash_commit(crash->log, record);
}

// --- Learning, before a crash

MS_READS_ANYTHING static bool says(const char *text, const char *name) {
  size_t size = strlen(name) + 1;
  uintptr_t address = (uintptr_t)text;
  // Checked word by word, so that the comparison does not reach an unmapped page.
  for (size_t i = 0; i < size; i += sizeof(uintptr_t)) {
    if (!ms_is_readable(address + i)) return false;
  }
  for (size_t i = 0; i < size; i++) {
    if (text[i] != name[i]) return false;
  }
  return true;
}

MS_READS_ANYTHING static const task_record *find_name(const task_record *record,
                                                      const char *name) {
  for (int i = 0; i < most_records && record && is_record(record); i++, record = record->next) {
    if (says(record->name, name)) return record;
  }
  return NULL;
}

void ms_task_name_learn(const char *name) {
  ms_crash_find_sources();
  const void *task = ms_sources.current_task ? ms_sources.current_task() : NULL;
  learned = (name_place){0, 0};
  ms_fact_learned(MS_FACT_TASK_NAMES, false);
  if (task == NULL) return;
  for (uint32_t at = first_offset; at < end_offset; at += sizeof(uintptr_t)) {
    if (!ms_is_readable((uintptr_t)task + at)) return;
    const task_record *record = find_name(list_at(task, at), name);
    if (record == NULL) continue;
    if (ms_fact_learned(MS_FACT_TASK_NAMES, true)) learned = (name_place){at, kind_of(record)};
    return;
  }
}

void ms_task_name_check(const char *name) {
  const void *task = ms_sources.current_task ? ms_sources.current_task() : NULL;
  const char *found = task ? name_of(task) : NULL;
  bool holds = name ? found && says(found, name) : found == NULL;
  if (holds) return;
  learned = (name_place){0, 0};
  ms_fact_learned(MS_FACT_TASK_NAMES, false);
}

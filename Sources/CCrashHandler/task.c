// The task that crashed. Who waits for it stands in its thread's stack.

#include "crash.h"

void ms_record_task(ms_crash *crash) {
  if (!ms_sources.current_task || !ms_sources.task_id) return;
  void *task = ms_sources.current_task();
  if (task == NULL) return;
  ms_crash_task_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_TASK, crash->number, sizeof *record);
  if (record == NULL) return;
  record->task = ms_sources.task_id(task);
  ms_crash_commit(crash->log, record);
}

// Records the task that crashed, and the tasks of other threads. The async callers of a task are in the stack of its
// thread.

#include "CRecorder.h"
#include "crash.h"

void ms_record_task_place(ms_log *log, uint32_t crash, uint32_t thread) {
  ms_task_facts facts;
  if (!ms_task_facts_here(&facts)) return;
  ms_crash_task_place_record *record =
      ms_crash_begin(log, MS_RECORD_CRASH_TASK_PLACE, crash, sizeof *record);
  if (record == NULL) return;
  record->task = facts.task;
  record->executor = facts.executor;
  record->kernel_id = thread;
  record->priority = facts.priority;
  record->place = facts.place;
  ms_crash_commit(log, record);
}

void ms_record_own_task_place(ms_crash *crash) {
  ms_record_task_place(crash->log, crash->number, crash->thread);
}

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

void ms_record_all_tasks(ms_crash *crash) {
  // 0 also means that the runtime's task registry is disabled.
  size_t tasks = ms_sources.all_tasks ? ms_sources.all_tasks() : 0;
  if (tasks == 0) return;
  ms_crash_all_tasks_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_ALL_TASKS, crash->number, sizeof *record);
  if (record == NULL) return;
  record->tasks = tasks;
  ms_crash_commit(crash->log, record);
}

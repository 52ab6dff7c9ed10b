// Lists the waiting tasks: the awaited event, the place and the callers.

#include "waiting_tasks.h"

#include <stdatomic.h>

#include "crash.h"

static _Atomic uint64_t limit;

void ms_waits_set_limit(uint64_t limit_ns) {
  // A host that forbids the system call can turn the search off.
  bool is_known = limit_ns > 0 && ms_fact_learned(MS_FACT_WAITING_TASKS, ms_tasks_are_known());
  atomic_store(&limit, is_known ? limit_ns : 0);
}

uint64_t ms_waits_limit(void) { return atomic_load(&limit); }

static uint64_t hash_of(const ms_wait *wait) {
  uint64_t hash = wait->kind ^ wait->executor;
  for (uint32_t i = 0; i < wait->count; i++) {
    hash = (hash ^ wait->frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

static bool read_wait(const ms_waiting_task *task, ms_wait *wait) {
  ms_walk_end end = MS_WALK_COMPLETE;
  uint32_t own = task->resume != 0;
  if (own) wait->frames[0] = task->resume | MS_ASYNC_CALLER;
  wait->count = own + ms_async_callers(task->context, MS_ASK_ALWAYS, wait->frames + own,
                                       MS_WAIT_FRAMES - own, &end);
  wait->end = (uint8_t)end;
  wait->kind = (uint8_t)task->kind;
  wait->executor = task->executor;
  return wait->count > 0;
}

static ms_wait *wait_like(ms_waits *waits, const ms_wait *wait, uint64_t hash) {
  for (uint32_t i = 0; i < waits->place_count; i++) {
    ms_wait *known = &waits->places[i];
    if (known->hash == hash && known->count == wait->count) return known;
  }
  if (waits->place_count == MS_WAIT_PLACES) return NULL;
  ms_wait *fresh = &waits->places[waits->place_count++];
  *fresh = *wait;
  fresh->hash = hash;
  fresh->tasks = 0;
  fresh->task_id = UINT64_MAX;
  return fresh;
}

static void add(const ms_waiting_task *task, void *argument) {
  ms_waits *waits = argument;
  ms_wait wait;
  if (!read_wait(task, &wait)) return;
  waits->tasks++;
  ms_wait *place = wait_like(waits, &wait, hash_of(&wait));
  if (place == NULL) return;
  place->tasks++;
  if (task->task_id < place->task_id) place->task_id = task->task_id;
}

static bool comes_before(const ms_wait *one, const ms_wait *other) {
  if (one->tasks != other->tasks) return one->tasks > other->tasks;
  return one->task_id < other->task_id;
}

static void sort(ms_waits *waits) {
  for (uint32_t i = 0; i < waits->place_count; i++) waits->order[i] = (uint8_t)i;
  for (uint32_t i = 1; i < waits->place_count; i++) {
    uint8_t moved = waits->order[i];
    uint32_t at = i;
    for (; at > 0 && comes_before(&waits->places[moved], &waits->places[waits->order[at - 1]]); at--) {
      waits->order[at] = waits->order[at - 1];
    }
    waits->order[at] = moved;
  }
}

bool ms_waits_list(ms_waits *waits) {
  uint64_t limit_ns = ms_waits_limit();
  waits->tasks = waits->place_count = 0;
  if (limit_ns == 0 || !ms_tasks_visit(&waits->memory, limit_ns, add, waits)) return false;
  sort(waits);
  return true;
}

// --- In a crash

static void record_place(ms_crash *crash, const ms_wait *wait) {
  size_t frames = wait->count * sizeof(uint64_t);
  ms_crash_wait_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_WAIT, crash->number, sizeof *record + frames);
  if (record == NULL) return;
  record->subject = wait->executor;
  record->kind = wait->kind;
  record->task = wait->task_id;
  record->tasks = wait->tasks;
  record->count = (uint16_t)wait->count;
  record->end = wait->end;
  for (uint32_t i = 0; i < wait->count; i++) record->frames[i] = wait->frames[i];
  ms_crash_commit(crash->log, record);
  ms_crash_note_modules(crash->log, wait->frames, wait->count);
}

void ms_record_waits(ms_crash *crash) {
  // Most other threads are held, and if memory disappears, a fault is nothing that the host handles.
  static ms_waits waits = {.memory.recover = ms_if_possible};
  if (!ms_waits_list(&waits)) return;
  ms_crash_waits_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_WAITS, crash->number, sizeof *record);
  if (record) {
    record->unread = waits.memory.unread;
    record->tasks = waits.tasks;
    record->places = waits.place_count;
    ms_crash_commit(crash->log, record);
  }
  for (uint32_t i = 0; i < waits.place_count; i++) {
    record_place(crash, &waits.places[waits.order[i]]);
  }
}

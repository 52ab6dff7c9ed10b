// Lists the waiting tasks: the awaited event, the place, the callers, and the start of the wait.

#include <string.h>

#include "crash.h"
#include "waiting_tasks.h"

static uint64_t hash_of(const ms_wait *wait) {
  uint64_t hash = (uint64_t)wait->kind << 1 | wait->is_again;
  hash ^= wait->executor;
  for (uint32_t i = 0; i < wait->count; i++) {
    hash = (hash ^ wait->frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

/// Reads the wait of a task and its async callers; returns false if the task has resumed meanwhile.
static bool read_wait(uint32_t place, const ms_waiting_task *noted, ms_wait *wait) {
  ms_wait_facts facts;
  if (!ms_wait_read(noted, &facts)) return false;
  ms_walk_end end = MS_WALK_COMPLETE;
  uint32_t own = facts.resume && ms_is_code(facts.resume);
  if (own) wait->frames[0] = facts.resume | MS_ASYNC_CALLER;
  wait->count = own + ms_async_callers(facts.context, MS_ASK_ALWAYS, wait->frames + own,
                                       MS_WAIT_FRAMES - own, &end);
  wait->end = (uint8_t)end;
  wait->kind = (uint8_t)facts.kind;
  wait->executor = facts.kind == MS_WAITS_FOR_EXECUTOR ? facts.subject : 0;
  wait->is_again = noted->is_again;
  ms_wait_facts later;
  return wait->count > 0 && ms_waiting_is_at(place, noted) &&
         ms_wait_read(noted, &later) && later.kind == facts.kind &&
         later.context == facts.context;
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
  fresh->newest_ns = UINT64_MAX;
  fresh->oldest_ns = 0;
  return fresh;
}

static void add(ms_waits *waits, const ms_waiting_task *noted, const ms_wait *wait, uint64_t now) {
  uint64_t age = now > noted->since_ns ? now - noted->since_ns : 0;
  waits->tasks++;
  ms_wait *place = wait_like(waits, wait, hash_of(wait));
  if (place == NULL) return;
  place->tasks++;
  if (age < place->newest_ns) place->newest_ns = age;
  if (place->tasks > 1 && age <= place->oldest_ns) return;
  place->oldest_ns = age;
  place->task_id = noted->task_id;
}

/// True if `one` is listed before `other`: repeated waits last, otherwise the oldest first.
static bool comes_before(const ms_wait *one, const ms_wait *other) {
  if (one->is_again != other->is_again) return other->is_again;
  return one->oldest_ns > other->oldest_ns;
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
  waits->tasks = waits->place_count = 0;
  if (!ms_waiting_is_noted()) return false;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  uint64_t now = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
  for (uint32_t place = 0; place < MS_WAITING_PLACES; place++) {
    ms_waiting_task noted;
    ms_wait wait;
    if (ms_waiting_at(place, &noted) && read_wait(place, &noted, &wait)) add(waits, &noted, &wait, now);
  }
  waits->missed = ms_waiting_missed();
  sort(waits);
  return true;
}

void ms_waits_make_room(void) {
  for (uint32_t place = 0; ms_waiting_is_noted() && place < MS_WAITING_PLACES; place++) {
    ms_waiting_task noted;
    ms_wait_facts facts;
    if (ms_waiting_at(place, &noted) && !ms_wait_read(&noted, &facts)) {
      ms_waiting_forget(place, &noted);
    }
  }
}

// --- In a crash

static void record_place(ms_crash *crash, const ms_wait *wait) {
  size_t frames = wait->count * sizeof(uint64_t);
  ms_crash_wait_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_WAIT, crash->number, sizeof *record + frames);
  if (record == NULL) return;
  record->subject = wait->executor;
  record->kind = wait->kind;
  record->oldest_ns = wait->oldest_ns;
  record->newest_ns = wait->newest_ns;
  record->task = wait->task_id;
  record->tasks = wait->tasks;
  record->count = (uint16_t)wait->count;
  record->end = wait->end;
  record->flags = wait->is_again ? MS_WAITS_AGAIN : 0;
  for (uint32_t i = 0; i < wait->count; i++) record->frames[i] = wait->frames[i];
  ms_crash_commit(crash->log, record);
  ms_crash_note_modules(crash->log, wait->frames, wait->count);
}

void ms_record_waits(ms_crash *crash) {
  static ms_waits waits;
  if (!ms_waits_list(&waits)) return;
  ms_crash_waits_record *record =
      ms_crash_begin(crash->log, MS_RECORD_CRASH_WAITS, crash->number, sizeof *record);
  if (record) {
    record->missed = waits.missed;
    record->tasks = waits.tasks;
    record->places = waits.place_count;
    ms_crash_commit(crash->log, record);
  }
  for (uint32_t i = 0; i < waits.place_count; i++) {
    record_place(crash, &waits.places[waits.order[i]]);
  }
}

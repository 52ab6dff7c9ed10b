// Writes crumbs of waiting tasks: a crumb with their count, and a crumb for each place.

#include <stdatomic.h>

#include "crash.h"
#include "waiting_tasks.h"

enum { most_crumbs = 16 };

static ms_crumb_builder begin(ms_log *log, const char *message) {
  return ms_crumb_begin(log, MS_KIND_NOTE, 2, MS_WORD_WAITING, message);
}

static void leave_count(ms_log *log, const ms_waits *waits, const char *during) {
  ms_crumb_builder crumb = begin(log, MS_WORD_TASKS_WAIT);
  ms_crumb_add_string(&crumb, MS_KEY_DURING, during);
  ms_crumb_add_integer(&crumb, MS_KEY_TASKS, waits->tasks);
  ms_crumb_add_integer(&crumb, MS_KEY_PLACES, waits->place_count);
  ms_crumb_add_integer(&crumb, MS_KEY_MISSED, (int64_t)waits->missed);
  ms_crumb_end(&crumb);
}

static const char *const kinds[MS_WAIT_KINDS] = {"continuation", "task", "group", "turn"};

static void leave_place(ms_log *log, const ms_wait *wait) {
  ms_crumb_builder crumb = begin(log, wait->is_again ? MS_WORD_WAITS_AGAIN : MS_WORD_WAITS);
  ms_crumb_add_string(&crumb, MS_KEY_FOR, kinds[wait->kind]);
  ms_crumb_add_integer(&crumb, MS_KEY_TASKS, wait->tasks);
  ms_crumb_add_integer(&crumb, MS_KEY_MILLISECONDS, (int64_t)(wait->oldest_ns / 1000000));
  ms_crumb_add_integer(&crumb, MS_KEY_NEWEST, (int64_t)(wait->newest_ns / 1000000));
  ms_crumb_add_integer(&crumb, MS_KEY_TASK, (int64_t)wait->task_id);
  ms_crumb_set_stack(&crumb, wait->frames, wait->count, wait->end);
  ms_crumb_end(&crumb);
}

static ms_waits waits;
static bool is_listed;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;

static void list(void *unused) {
  (void)unused;
  is_listed = ms_waits_list(&waits);
}

static void make_room(void *unused) {
  (void)unused;
  ms_waits_make_room();
}

static void leave(ms_log *log, const char *during) {
  is_listed = false;
  // A task may end during the listing, and its memory may be freed.
  if (!ms_if_possible(list, NULL) || !is_listed) return;
  leave_count(log, &waits, during);
  uint32_t count = waits.place_count < most_crumbs ? waits.place_count : most_crumbs;
  for (uint32_t i = 0; i < count; i++) leave_place(log, &waits.places[waits.order[i]]);
}

void ms_leave_waits(ms_log *log, const char *during) {
  if (atomic_flag_test_and_set(&is_busy)) return;
  leave(log, during);
  atomic_flag_clear(&is_busy);
}

void ms_leave_waits_of_loss(ms_log *log) {
  enum { most_lists = 8 };
  static _Atomic uint32_t lists;
  if (atomic_fetch_add(&lists, 1) < most_lists) ms_leave_waits(log, MS_WORD_DURING_LOSS);
}

void ms_tidy_waits(void) {
  enum { much = MS_WAITING_PLACES / 2, more = MS_WAITING_PLACES / 16 };
  static uint32_t kept;  // number of entries after the last cleanup
  uint32_t held = ms_waiting_held();
  if (held < kept) kept = held;
  if (held < much || held < kept + more) return;
  if (ms_if_possible(make_room, NULL)) kept = ms_waiting_held();
}

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
  ms_crumb_add_integer(&crumb, MS_KEY_UNREAD, (int64_t)waits->memory.unread);
  ms_crumb_end(&crumb);
}

static const char *const kinds[MS_WAIT_KINDS] = {"continuation", "task", "group", "turn"};

static void leave_place(ms_log *log, const ms_wait *wait) {
  ms_crumb_builder crumb = begin(log, MS_WORD_WAITS);
  ms_crumb_add_string(&crumb, MS_KEY_FOR, kinds[wait->kind]);
  ms_crumb_add_integer(&crumb, MS_KEY_TASKS, wait->tasks);
  ms_crumb_add_integer(&crumb, MS_KEY_TASK, (int64_t)wait->task_id);
  if (wait->executor) ms_crumb_add_string(&crumb, MS_KEY_EXECUTOR, MS_WORD_ACTOR);
  ms_crumb_set_stack(&crumb, wait->frames, wait->count, wait->end);
  ms_crumb_end(&crumb);
}

static ms_waits waits;
static bool is_listed;

static void list(void *unused) {
  (void)unused;
  is_listed = ms_waits_list(&waits);
}

static bool search(void) {
  is_listed = false;
  // A task may end during the listing, and its memory may be freed.
  return ms_if_possible(list, NULL) && is_listed;
}

static void leave(ms_log *log, const char *during) {
  leave_count(log, &waits, during);
  uint32_t count = waits.place_count < most_crumbs ? waits.place_count : most_crumbs;
  for (uint32_t i = 0; i < count; i++) leave_place(log, &waits.places[waits.order[i]]);
}

void ms_leave_waits(ms_log *log, const char *during) {
  if (search()) leave(log, during);
}

void ms_leave_waits_of_hang(ms_log *log) {
  enum { share = 20 };
  static uint64_t next;
  uint64_t began = ms_now();
  if (began < next) return;
  ms_leave_waits(log, MS_WORD_DURING_HANG);
  uint64_t ended = ms_now();
  next = ended + share * (ended - began);
}

// The runtime may report a loss before the task waits, so the search is repeated: after a short time, and at the next
// check.
enum { most_losses = 8, searches_of_loss = 3 };

static _Atomic uint32_t losses;

void ms_waits_lost_one(void) {
  if (atomic_fetch_add(&losses, 1) < most_losses) ms_watch_call();
}

bool ms_leave_waits_of_losses(ms_log *log) {
  static uint32_t seen, searches, tasks;
  uint32_t now = atomic_load(&losses);
  if (now != seen && seen < most_losses) searches = searches_of_loss;
  seen = now;
  if (searches == 0) return false;
  searches--;
  if (search() && waits.tasks != tasks) {
    tasks = waits.tasks;
    leave(log, MS_WORD_DURING_LOSS);
  }
  return searches > 1;
}

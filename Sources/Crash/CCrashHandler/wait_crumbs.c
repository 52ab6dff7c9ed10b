// Leaves crumbs of the tasks that wait: one that counts them, and one for each place.

#include <string.h>

#include "crash.h"
#include "waits.h"

enum { most_crumbs = 16 };

/// A crumb's data as it grows.
typedef struct {
  uint8_t *bytes;
  uint32_t size;
  uint8_t count;
} crumb_data;

static void add_integer(crumb_data *data, const char *key, uint64_t value) {
  bool cut = false;
  data->size =
      ms_data_integer(data->bytes, data->size, key, strlen(key), (int64_t)value, &cut);
  data->count++;
}

static void add_string(crumb_data *data, const char *key, const char *value) {
  bool cut = false;
  data->size =
      ms_data_string(data->bytes, data->size, key, strlen(key), value, strlen(value), &cut);
  data->count++;
}

static void leave_crumb(ms_log_thread *thread, const char *message, const crumb_data *data,
                        const ms_wait *wait) {
  ms_crumb crumb = {
      .category = MS_WORD_WAITING,
      .category_size = strlen(MS_WORD_WAITING),
      .message = message,
      .message_size = strlen(message),
      .data = data->bytes,
      .data_size = data->size,
      .data_count = data->count,
      .kind = MS_KIND_NOTE,
      .level = 2,
  };
  if (wait) {
    crumb.frames = wait->frames;
    crumb.frame_count = (uint16_t)wait->count;
    crumb.walk_end = wait->end;
  }
  ms_log_append(thread, &crumb);
  ms_log_leave(thread);
}

static void leave_count(ms_log *log, const ms_waits *waits, const char *during) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_NOTE);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_string(&data, MS_KEY_DURING, during);
  add_integer(&data, MS_KEY_TASKS, waits->tasks);
  add_integer(&data, MS_KEY_PLACES, waits->place_count);
  add_integer(&data, MS_KEY_MISSED, waits->missed);
  leave_crumb(thread, MS_WORD_TASKS_WAIT, &data, NULL);
}

static const char *const kinds[MS_WAIT_KINDS] = {"continuation", "task", "group", "turn"};

static void leave_place(ms_log *log, const ms_wait *wait) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_NOTE);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_string(&data, MS_KEY_FOR, kinds[wait->kind]);
  add_integer(&data, MS_KEY_TASKS, wait->tasks);
  add_integer(&data, MS_KEY_MILLISECONDS, wait->oldest_ns / 1000000);
  add_integer(&data, MS_KEY_NEWEST, wait->newest_ns / 1000000);
  add_integer(&data, MS_KEY_TASK, wait->task_id);
  leave_crumb(thread, wait->is_again ? MS_WORD_WAITS_AGAIN : MS_WORD_WAITS, &data, wait);
}

static ms_waits waits;
static bool is_listed;

static void list(void *unused) {
  (void)unused;
  is_listed = ms_waits_list(&waits);
}

static void make_room(void *unused) {
  (void)unused;
  ms_waits_make_room();
}

void ms_leave_waits(ms_log *log, const char *during) {
  is_listed = false;
  // A task may end while it is looked at, and its memory go.
  if (!ms_if_possible(list, NULL) || !is_listed) return;
  leave_count(log, &waits, during);
  uint32_t count = waits.place_count < most_crumbs ? waits.place_count : most_crumbs;
  for (uint32_t i = 0; i < count; i++) leave_place(log, &waits.places[waits.order[i]]);
}

void ms_tidy_waits(void) {
  enum { much = MS_WAITING_PLACES / 2, more = MS_WAITING_PLACES / 16 };
  static uint32_t kept;  // of those that waited when there was no more room to make
  uint32_t held = ms_waiting_held();
  if (held < kept) kept = held;
  if (held < much || held < kept + more) return;
  if (ms_if_possible(make_room, NULL)) kept = ms_waiting_held();
}

// What the watch over executors leaves in the log.

#include <string.h>

#include "watched.h"

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
  if (value[0] == 0) return;
  bool cut = false;
  data->size =
      ms_data_string(data->bytes, data->size, key, strlen(key), value, strlen(value), &cut);
  data->count++;
}

static const char *const words[] = {MS_WORD_MAIN_QUEUE, MS_WORD_POOL, MS_WORD_QUEUE, MS_WORD_ACTOR,
                                    MS_WORD_LOOP};

const char *ms_watched_word(ms_watched_kind kind) { return words[kind]; }

static const char *const doings[] = {"", MS_WORD_BLOCKED, MS_WORD_BUSY, MS_WORD_STARVED};

static void add_holder(crumb_data *data, const ms_hang_holder *holder) {
  add_integer(data, MS_KEY_THREAD, holder->thread);
  if (!holder->is_sampled) return;
  add_string(data, MS_KEY_THREAD_NAME, holder->sample.name);
  if (holder->sample.task) add_integer(data, MS_KEY_TASK, holder->sample.task);
  if (strcmp(holder->sample.queue, MS_POOL_LABEL) != 0) {
    add_string(data, MS_KEY_QUEUE, holder->sample.queue);
  }
}

static void append(ms_log_thread *thread, const ms_watched_facts *facts, const char *message,
                   const crumb_data *data, const ms_hang_holder *holder) {
  const char *category = ms_watched_word(facts->kind);
  ms_crumb crumb = {
      .category = category,
      .category_size = strlen(category),
      .message = message,
      .message_size = strlen(message),
      .data = data->bytes,
      .data_size = data->size,
      .data_count = data->count,
      .kind = MS_KIND_HANG,
      .level = 3,
  };
  if (holder && holder->is_sampled) {
    crumb.frames = holder->sample.frames;
    crumb.frame_count = (uint16_t)holder->sample.count;
    crumb.walk_end = (uint8_t)holder->sample.end;
    crumb.first_is_instruction = 1;
  }
  ms_log_append(thread, &crumb);
  ms_log_leave(thread);
}

static void leave_start(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_HANG);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_integer(&data, MS_KEY_MILLISECONDS, hang->duration / 1000000);
  add_string(&data, MS_KEY_NAME, facts->name);
  if (facts->kind == MS_WATCHED_POOL) add_integer(&data, MS_KEY_THREADS, hang->threads);
  if (hang->left_out) add_integer(&data, MS_KEY_MISSED, hang->left_out);
  const ms_hang_holder *first = hang->count ? &hang->holders[0] : NULL;
  add_string(&data, MS_KEY_DOING, doings[hang->doing]);
  int pressure = hang->doing == MS_DOES_STARVED ? ms_processor_pressure() : -1;
  if (pressure >= 0) add_integer(&data, MS_KEY_PRESSURE, (uint64_t)pressure);
  if (first) add_holder(&data, first);
  append(thread, facts, MS_WORD_DOES_NOT_ANSWER, &data, first);
}

static void leave_holder(ms_log *log, const ms_watched_facts *facts, const ms_hang_holder *holder) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_HANG);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_string(&data, MS_KEY_NAME, facts->name);
  add_string(&data, MS_KEY_DOING, doings[holder->doing]);
  add_holder(&data, holder);
  append(thread, facts, MS_WORD_HOLDS_IT_TOO, &data, holder);
}

void ms_leave_hang(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang) {
  leave_start(log, facts, hang);
  for (uint32_t i = 1; i < hang->count; i++) leave_holder(log, facts, &hang->holders[i]);
}

void ms_leave_hang_end(ms_log *log, const ms_watched_facts *facts, const char *message,
                       uint64_t duration) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_HANG);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_integer(&data, MS_KEY_MILLISECONDS, duration / 1000000);
  add_string(&data, MS_KEY_NAME, facts->name);
  append(thread, facts, message, &data, NULL);
}

// --- Latency

void ms_latency_add(ms_latency *latency, uint64_t took) {
  int step = 0;
  while (step < MS_LATENCY_STEPS - 1 && took >> step >= 1000) step++;
  latency->took[step]++;
  latency->beats++;
  if (took > latency->slowest) latency->slowest = took;
}

/// The microseconds within which this share of the beats had come, to a power of two.
static uint64_t within(const ms_latency *latency, uint32_t percent) {
  uint64_t count = 0;
  for (int step = 0; step < MS_LATENCY_STEPS; step++) {
    count += latency->took[step];
    uint64_t bound = UINT64_C(1) << step, slowest = latency->slowest / 1000;
    if (count * 100 >= (uint64_t)latency->beats * percent) return bound < slowest ? bound : slowest;
  }
  return latency->slowest / 1000;
}

void ms_leave_latency(ms_log *log, const ms_watched_facts *facts, const ms_latency *latency, bool is_late) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_NOTE);
  if (thread == NULL) return;
  crumb_data data = {.bytes = ms_log_data(thread)};
  add_string(&data, MS_KEY_EXECUTOR, ms_watched_word(facts->kind));
  add_string(&data, MS_KEY_NAME, facts->name);
  add_integer(&data, MS_KEY_BEATS, latency->beats);
  add_integer(&data, MS_KEY_MEDIAN, within(latency, 50));
  add_integer(&data, MS_KEY_NEARLY_ALL, within(latency, 99));
  add_integer(&data, MS_KEY_SLOWEST, latency->slowest / 1000);
  const char *message = is_late ? MS_WORD_ANSWERS_LATE : MS_WORD_ANSWERS;
  ms_crumb crumb = {
      .category = MS_WORD_LATENCY,
      .category_size = strlen(MS_WORD_LATENCY),
      .message = message,
      .message_size = strlen(message),
      .data = data.bytes,
      .data_size = data.size,
      .data_count = data.count,
      .kind = MS_KIND_NOTE,
      .level = is_late ? 2 : 0,
  };
  ms_log_append(thread, &crumb);
  ms_log_leave(thread);
}

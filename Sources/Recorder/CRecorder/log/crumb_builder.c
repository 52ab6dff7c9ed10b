#include "ms_crumb_builder.h"

#include <string.h>

#include "ms_log_data.h"

ms_crumb_builder ms_crumb_begin(ms_log *log, ms_kind kind, uint8_t level, const char *category, const char *message) {
  ms_log_data_bracket bracket = ms_log_enter_for_data(log, kind);
  return (ms_crumb_builder){
      .thread = bracket.thread,
      .data = bracket.data,
      .crumb =
          {
              .category = category,
              .category_size = strlen(category),
              .message = message,
              .message_size = strlen(message),
              .data = bracket.data,
              .kind = (uint8_t)kind,
              .level = level,
          },
  };
}

/// Updates the size and count of the data after one more value, unless the value did not fit.
static void grow(ms_crumb_builder *builder, uint32_t size, bool is_cut) {
  if (size > builder->crumb.data_size) builder->crumb.data_count++;
  if (is_cut) builder->crumb.flags |= MS_CRUMB_DATA_CUT;
  builder->crumb.data_size = size;
}

void ms_crumb_add_text(ms_crumb_builder *builder, const char *key, const char *value, size_t size) {
  bool is_cut = false;
  if (builder->thread == NULL || size == 0) return;
  uint32_t grown = ms_data_string(builder->data, builder->crumb.data_size, key, strlen(key), value, size, &is_cut);
  grow(builder, grown, is_cut);
}

void ms_crumb_add_string(ms_crumb_builder *builder, const char *key, const char *value) {
  ms_crumb_add_text(builder, key, value, strlen(value));
}

void ms_crumb_add_integer(ms_crumb_builder *builder, const char *key, int64_t value) {
  bool is_cut = false;
  if (builder->thread == NULL) return;
  uint32_t grown = ms_data_integer(builder->data, builder->crumb.data_size, key, strlen(key), value, &is_cut);
  grow(builder, grown, is_cut);
}

void ms_crumb_add_boolean(ms_crumb_builder *builder, const char *key, bool value) {
  bool is_cut = false;
  if (builder->thread == NULL) return;
  uint32_t grown = ms_data_boolean(builder->data, builder->crumb.data_size, key, strlen(key), value, &is_cut);
  grow(builder, grown, is_cut);
}

void ms_crumb_set_queue(ms_crumb_builder *builder, ms_queue_stamp queue) {
  if (queue.onMain) builder->crumb.flags |= MS_CRUMB_ON_MAIN;
  builder->crumb.queue_serial = queue.serial;
  builder->crumb.queue_label = queue.label;
}

void ms_crumb_set_stack(ms_crumb_builder *builder, const uintptr_t *frames, uint32_t count, uint32_t end) {
  builder->crumb.frames = frames;
  builder->crumb.frame_count = (uint16_t)count;
  builder->crumb.walk_end = (uint8_t)end;
}

void ms_crumb_end(ms_crumb_builder *builder) {
  if (builder->thread == NULL) return;
  ms_log_append(builder->thread, &builder->crumb);
  ms_log_leave(builder->thread);
}

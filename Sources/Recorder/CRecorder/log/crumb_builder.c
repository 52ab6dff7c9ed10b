#include "ms_crumb_builder.h"

#include <string.h>


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
              .kind = (uint8_t)kind,
              .level = level,
          },
  };
}

void ms_crumb_add_text(ms_crumb_builder *builder, const char *key, const char *value, size_t size) {
  if (builder->data && size > 0) ms_data_string(builder->data, key, strlen(key), value, size);
}

void ms_crumb_add_string(ms_crumb_builder *builder, const char *key, const char *value) {
  ms_crumb_add_text(builder, key, value, strlen(value));
}

void ms_crumb_add_integer(ms_crumb_builder *builder, const char *key, int64_t value) {
  if (builder->data) ms_data_integer(builder->data, key, strlen(key), value);
}

void ms_crumb_add_boolean(ms_crumb_builder *builder, const char *key, bool value) {
  if (builder->data) ms_data_boolean(builder->data, key, strlen(key), value);
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
  ms_crumb_set_data(&builder->crumb, builder->data);
  ms_log_append(builder->thread, &builder->crumb);
  ms_log_leave(builder->thread);
}

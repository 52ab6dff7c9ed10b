// Building a crumb with data, from its bracket's beginning to its end.
#ifndef MAINSTAY_CRUMB_BUILDER_H
#define MAINSTAY_CRUMB_BUILDER_H

#include "ms_log_append.h"
#include "ms_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A crumb between `ms_crumb_begin` and `ms_crumb_end`. What has no function here is set in `crumb`.
typedef struct {
  ms_log_thread *thread;  ///< NULL if nothing can be recorded now: then all functions do nothing
  uint8_t *data;
  ms_crumb crumb;
} ms_crumb_builder;

/// Begins a crumb on this thread. The texts must last until its end. Signal safety: as `ms_log_enter`.
ms_crumb_builder ms_crumb_begin(ms_log *log, ms_kind kind, uint8_t level, const char *category, const char *message);

/// Adds a key and its value. A string that is empty is left out, and what does not fit is cut or left out. Signal safety: safe.
void ms_crumb_add_string(ms_crumb_builder *builder, const char *key, const char *value);
void ms_crumb_add_text(ms_crumb_builder *builder, const char *key, const char *value, size_t size);
void ms_crumb_add_integer(ms_crumb_builder *builder, const char *key, int64_t value);

/// Sets the queue that the crumb comes from. Signal safety: safe.
void ms_crumb_set_queue(ms_crumb_builder *builder, ms_queue_stamp queue);

/// Sets the crumb's stack, whose frames must last until its end. Signal safety: safe.
void ms_crumb_set_stack(ms_crumb_builder *builder, const uintptr_t *frames, uint32_t count, uint32_t end);

/// Appends the crumb. Signal safety: safe.
void ms_crumb_end(ms_crumb_builder *builder);

#ifdef __cplusplus
}
#endif
#endif

// Builds a crumb with data inside one bracket.
#ifndef MAINSTAY_CRUMB_BUILDER_H
#define MAINSTAY_CRUMB_BUILDER_H

#include <string.h>

#include "ms_log_append.h"
#include "ms_log_words.h"
#include "ms_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A crumb between `ms_crumb_begin` and `ms_crumb_end`. Fields without a function here are set in `crumb`.
typedef struct {
  ms_log_thread *thread;  ///< NULL if recording is not possible now; all functions have no effect then
  ms_data *data;
  ms_crumb crumb;
} ms_crumb_builder;

/// Begins a crumb on this thread. The strings must stay valid until `ms_crumb_end`. Signal safety: as `ms_log_enter`.
ms_crumb_builder ms_crumb_begin(ms_log *log, ms_kind kind, uint8_t level, const char *category, const char *message);

/// Adds a key and its value. Empty strings are skipped; a value that does not fit is truncated or skipped. Signal
/// safety: safe.
void ms_crumb_add_string(ms_crumb_builder *builder, const char *key, const char *value);
void ms_crumb_add_text(ms_crumb_builder *builder, const char *key, const char *value, size_t size);
void ms_crumb_add_integer(ms_crumb_builder *builder, const char *key, int64_t value);
void ms_crumb_add_boolean(ms_crumb_builder *builder, const char *key, bool value);

/// Sets the queue on which the crumb is recorded. Signal safety: safe.
void ms_crumb_set_queue(ms_crumb_builder *builder, ms_queue_stamp queue);

/// Sets the crumb's stack; `frames` must stay valid until `ms_crumb_end`. Signal safety: safe.
void ms_crumb_set_stack(ms_crumb_builder *builder, const uintptr_t *frames, uint32_t count, uint32_t end);

/// Appends the crumb and ends the bracket. Signal safety: safe.
void ms_crumb_end(ms_crumb_builder *builder);

/// The steps of a call through a hop.
typedef enum { MS_HOP_ARRIVAL, MS_HOP_RUN, MS_HOP_DROP } ms_hop_step;

/// Returns the crumb of a hop's step, with level 0 and no data or stack. If `ticks` is 0, the time of appending
/// counts. Signal safety: safe.
static inline ms_crumb ms_hop_crumb(ms_hop_step step, uint64_t hop, uint64_t ticks) {
  const char *message = step == MS_HOP_ARRIVAL ? MS_WORD_ARRIVAL : step == MS_HOP_RUN ? MS_WORD_RUN : MS_WORD_DROP;
  ms_crumb crumb = {0};
  crumb.category = MS_WORD_HOP;
  crumb.category_size = sizeof MS_WORD_HOP - 1;
  crumb.message = message;
  crumb.message_size = strlen(message);
  crumb.kind = MS_KIND_HOP;
  crumb.flags = MS_CRUMB_HAS_HOP;
  crumb.hop = hop;
  crumb.ticks = ticks;
  return crumb;
}

#ifdef __cplusplus
}
#endif
#endif

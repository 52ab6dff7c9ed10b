// Building a crumb with data, from its bracket's beginning to its end.
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

/// A step of a call through a hop.
typedef enum { MS_HOP_ARRIVAL, MS_HOP_RUN, MS_HOP_DROP } ms_hop_step;

/// Returns a crumb of level 0 of a hop's step at `ticks` (0: when it is appended), with neither data nor stack. Signal safety: safe.
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

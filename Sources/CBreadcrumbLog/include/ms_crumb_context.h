// What all crumbs below a call have.
#ifndef MAINSTAY_CRUMB_CONTEXT_H
#define MAINSTAY_CRUMB_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Keys and values, encoded as a crumb's data are. Many may share their bytes and differ in the last sixteen.
typedef struct {
  const uint8_t *bytes;
  uint32_t size;
  uint32_t count;
  uint64_t ending[2];  ///< in the place of the last bytes, unless its first word is 0
} ms_crumb_context;

/// Copies its bytes, as many as its size says. Signal safety: safe.
static inline void ms_crumb_context_copy(uint8_t *to, const ms_crumb_context *context) {
  memcpy(to, context->bytes, context->size);
  if (context->ending[0] != 0 && context->size >= sizeof context->ending) {
    memcpy(to + context->size - sizeof context->ending, context->ending, sizeof context->ending);
  }
}

/// Says under what key the runtime keeps the context of a task or a thread. Signal safety: safe.
void ms_crumb_context_begin(const void *key);

extern const void *ms_crumb_context_of;

/// That key; NULL until one was given. Signal safety: safe; one load.
static inline const void *ms_crumb_context_key(void) {
  return __atomic_load_n(&ms_crumb_context_of, __ATOMIC_ACQUIRE);
}

#ifdef __cplusplus
}
#endif
#endif

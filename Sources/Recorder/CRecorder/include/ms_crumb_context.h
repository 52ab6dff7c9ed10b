// Values that are added to all crumbs recorded inside a call.
#ifndef MAINSTAY_CRUMB_CONTEXT_H
#define MAINSTAY_CRUMB_CONTEXT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Keys and values, in the encoding of a crumb's data.
typedef struct {
  const uint8_t *bytes;
  uint32_t size;
  uint32_t count;
  uint64_t key;  ///< a salted hash of the bytes
} ms_crumb_context;

/// Returns a context of these encoded values. Call `ms_crumb_context_begin` first. Signal safety: safe.
ms_crumb_context ms_crumb_context_make(const uint8_t *bytes, uint32_t size, uint32_t count);

/// Sets the key under which the runtime stores the context of a task or a thread. Signal safety: safe.
void ms_crumb_context_begin(const void *key);

extern const void *ms_crumb_context_of;

/// Returns the key that `ms_crumb_context_begin` set; NULL before that. Signal safety: safe; one load.
static inline const void *ms_crumb_context_key(void) {
  return __atomic_load_n(&ms_crumb_context_of, __ATOMIC_ACQUIRE);
}

#ifdef __cplusplus
}
#endif
#endif

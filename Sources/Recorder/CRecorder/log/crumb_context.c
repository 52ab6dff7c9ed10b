// The key under which the runtime stores the values that `withCrumbs` adds to all crumbs of a call.

#include "ms_crumb_context.h"

#include <string.h>
#include <sys/auxv.h>

#include "ms_log_data.h"

const void *ms_crumb_context_of;

static uint64_t salt;

void ms_crumb_context_begin(const void *key) {
  const void *random = (const void *)getauxval(AT_RANDOM);
  if (random) memcpy(&salt, random, sizeof salt);
  __atomic_store_n(&ms_crumb_context_of, key, __ATOMIC_RELEASE);
}

ms_crumb_context ms_crumb_context_make(const uint8_t *bytes, uint32_t size, uint32_t count) {
  return (ms_crumb_context){bytes, size, count, ms_hash_text(salt, bytes, size, size)};
}

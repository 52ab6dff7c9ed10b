// The key under which the runtime stores the values that `withCrumbs` adds to all crumbs of a call.

#include "ms_crumb_context.h"

const void *ms_crumb_context_of;

void ms_crumb_context_begin(const void *key) {
  __atomic_store_n(&ms_crumb_context_of, key, __ATOMIC_RELEASE);
}

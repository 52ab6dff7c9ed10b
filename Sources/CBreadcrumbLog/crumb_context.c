// Under what key the runtime keeps what all crumbs below a call have.

#include "CBreadcrumbLog.h"

bool ms_crumb_context_begun;
static const void *key;

void ms_crumb_context_begin(const void *of) {
  __atomic_store_n(&key, of, __ATOMIC_RELEASE);
  __atomic_store_n(&ms_crumb_context_begun, true, __ATOMIC_RELEASE);
}

const void *ms_crumb_context_key(void) { return __atomic_load_n(&key, __ATOMIC_ACQUIRE); }

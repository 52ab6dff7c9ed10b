#include "ms_loop_threads.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
  prefix_limit = 16,
  name_limit = 15,  // Linux truncates a thread's name to this length
};

// The prefixes of the threads' names, initially SwiftNIO's. They are never freed, because another thread may be reading
// a prefix.
static _Atomic(char *) prefixes[prefix_limit] = {"NIO-ELT-", "NIO-SGLTN-"};

void ms_loop_threads_forget(void) {
  for (size_t i = prefix_limit; i > 0; i--) atomic_store(&prefixes[i - 1], NULL);
}

bool ms_loop_threads_add(const char *prefix) {
  if (*prefix == '\0') return false;  // an empty prefix would match every thread
  char *copy = strndup(prefix, name_limit);
  for (size_t i = 0; copy && i < prefix_limit; i++) {
    char *known = NULL;
    if (atomic_compare_exchange_strong(&prefixes[i], &known, copy)) return true;
    if (strcmp(known, copy) != 0) continue;
    free(copy);
    return true;
  }
  free(copy);
  return false;
}

bool ms_loop_threads_have(const char *name) {
  for (size_t i = 0; i < prefix_limit; i++) {
    const char *prefix = atomic_load(&prefixes[i]);
    if (prefix == NULL) return false;
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

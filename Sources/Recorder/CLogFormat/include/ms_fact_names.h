// Facts about undocumented behavior of the Swift runtime, Dispatch and the C library: the bit of each fact in the
// log, its name, and the features that are off without the fact.
#ifndef MAINSTAY_FACT_NAMES_H
#define MAINSTAY_FACT_NAMES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A fact; its value is its bit in the log.
typedef enum {
  MS_FACT_RUNTIME_VERSION = 0,
  MS_FACT_LOADER_INDEX = 1,
  MS_FACT_QUEUE_LAYOUT = 2,
  MS_FACT_QUEUE_PROOF = 3,
  MS_FACT_PERMANENT_OBJECTS = 4,
  MS_FACT_TASK_FRAMES = 5,
  MS_FACT_TASK_GETTERS = 6,
  MS_FACT_TASK_LOCALS = 7,
  MS_FACT_ISOLATION_HOOK = 8,
  MS_FACT_RUNTIME_MESSAGES = 9,
  MS_FACT_TASK_NAMES = 10,
  MS_FACT_WAITING_TASKS = 11,
  MS_FACT_ABORT_MESSAGE = 12,
  MS_FACT_LOCK_OWNER = 13,
  MS_FACT_THREAD_LIST = 14,
  MS_FACTS = 15,
} ms_fact;

/// Returns the name of a fact by its bit; NULL for an unknown bit.
const char *ms_fact_name(uint32_t bit);

/// Returns the feature that is off without a fact, as a phrase; NULL for an unknown bit.
const char *ms_fact_without(uint32_t bit);

#ifdef __cplusplus
}
#endif
#endif

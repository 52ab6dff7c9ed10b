// Lists the waiting tasks by reason and place.
#ifndef MAINSTAY_WAITING_TASKS_H
#define MAINSTAY_WAITING_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "task_scan.h"

enum {
  MS_WAIT_PLACES = 64,
  MS_WAIT_FRAMES = 24,
};

/// Tasks that wait for the same kind of event and resume at the same place, with the same callers.
typedef struct {
  uint64_t hash;
  uintptr_t executor;  // the executor for which the tasks wait; 0: any thread, or another kind of wait
  uint64_t task_id;    // the lowest id of these tasks
  uint32_t tasks;
  uint32_t count;  // the number of frames
  uint8_t end;     // ms_walk_end
  uint8_t kind;    // ms_wait_kind
  uintptr_t frames[MS_WAIT_FRAMES];
} ms_wait;

/// Zero before the first list. A crash needs a list of its own, because the crash may interrupt another listing.
typedef struct {
  ms_memory_walk memory;
  uint32_t tasks;  // the number of waiting tasks, including those whose place is not in `places`
  uint32_t place_count;
  uint8_t order[MS_WAIT_PLACES];  // indices of the places by descending number of tasks
  ms_wait places[MS_WAIT_PLACES];
} ms_waits;

/// Lists the waiting tasks within the time limit. Returns false if the limit is 0, or if tasks cannot be found. Signal
/// safety: safe; may fault.
bool ms_waits_list(ms_waits *waits);

#endif

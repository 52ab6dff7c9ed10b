// Lists the waiting tasks by reason and place.
#ifndef MAINSTAY_WAITING_TASKS_H
#define MAINSTAY_WAITING_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

enum {
  MS_WAIT_PLACES = 64,
  MS_WAIT_FRAMES = 24,
};

/// Tasks that wait for the same kind of event and resume at the same place, with the same callers.
typedef struct {
  uint64_t hash;
  uintptr_t executor;  // the executor for which the tasks wait; 0: any thread, or another kind of wait
  uint64_t oldest_ns, newest_ns;
  uint64_t task_id;  // the id of the task with the oldest wait
  uint32_t tasks;
  uint32_t count;  // the number of frames
  uint8_t end;     // ms_walk_end
  uint8_t kind;    // ms_wait_kind
  bool is_again;   // the tasks had waited at this place before
  uintptr_t frames[MS_WAIT_FRAMES];
} ms_wait;

typedef struct {
  uint64_t missed;  // the number of waits for which the table was full
  uint32_t tasks;   // the number of waiting tasks, including those whose place is not in `places`
  uint32_t place_count;
  uint8_t order[MS_WAIT_PLACES];  // indices of the places: repeated waits last, otherwise the oldest first
  ms_wait places[MS_WAIT_PLACES];
} ms_waits;

/// Lists the waiting tasks; returns false if waits are not tracked. Signal safety: safe; may fault.
bool ms_waits_list(ms_waits *waits);

/// Removes the tasks that no longer wait. Signal safety: safe; may fault.
void ms_waits_make_room(void);

#endif

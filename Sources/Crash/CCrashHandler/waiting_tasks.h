// The waiting tasks, with reason and place.
#ifndef MAINSTAY_WAITING_TASKS_H
#define MAINSTAY_WAITING_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

enum {
  MS_WAIT_PLACES = 64,
  MS_WAIT_FRAMES = 24,
};

/// Tasks that wait for the same and go on in one place, with the same callers.
typedef struct {
  uint64_t hash;
  uintptr_t executor;  // whose turn they wait for; 0: any thread, or they wait for something else
  uint64_t oldest_ns, newest_ns;
  uint64_t task_id;  // of the oldest
  uint32_t tasks;
  uint32_t count;  // of the frames
  uint8_t end;     // ms_walk_end
  uint8_t kind;    // ms_wait_kind
  bool is_again;   // they had waited there before
  uintptr_t frames[MS_WAIT_FRAMES];
} ms_wait;

typedef struct {
  uint64_t missed;  // times that a task found no room
  uint32_t tasks;   // that wait, also where there was no room for their place
  uint32_t place_count;
  uint8_t order[MS_WAIT_PLACES];  // of the places: loops last, else the oldest first
  ms_wait places[MS_WAIT_PLACES];
} ms_waits;

/// Lists who waits now; false if unknown. Signal safety: safe; may fault.
bool ms_waits_list(ms_waits *waits);

/// Forgets the tasks that do not wait any more. Signal safety: safe; may fault.
void ms_waits_make_room(void);

#endif

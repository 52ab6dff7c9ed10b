#include "CStackWalk.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <string.h>

// unw_backtrace counts itself out: its first entry is the return address in `ms_walk_here`.
enum { own_frames = 1, most_frames = 256 };

uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  void *found[most_frames];
  uint32_t left_out = own_frames + skip;
  uint32_t wanted = capacity + left_out;
  if (wanted > most_frames) wanted = most_frames;
  int count = unw_backtrace(found, (int)wanted);
  *end = count == (int)wanted ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  if (count <= (int)left_out) return 0;
  uint32_t kept = (uint32_t)count - left_out;
  if (kept > capacity) kept = capacity;
  memcpy(frames, found + left_out, kept * sizeof *frames);
  return kept;
}

uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end) {
  unw_context_t registers;
  memcpy(&registers, context, sizeof registers);
  unw_cursor_t cursor;
  *end = MS_WALK_NO_RULE;
  if (unw_init_local2(&cursor, &registers, UNW_INIT_SIGNAL_FRAME) != 0) return 0;
  uint32_t count = 0;
  int step = 1;
  while (step > 0 && count < capacity) {
    unw_word_t address;
    if (unw_get_reg(&cursor, UNW_REG_IP, &address) != 0) return count;
    if (address == 0) break;
    frames[count++] = (uintptr_t)address;
    step = unw_step(&cursor);
  }
  *end = step < 0 ? MS_WALK_NO_RULE : count == capacity ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  return count;
}

void ms_walk_start(void) {
  uintptr_t frames[4];
  ms_walk_end end;
  ms_walk_here(frames, 4, 0, &end);
}

ms_walk_engine ms_walk_engine_in_use(void) { return MS_WALK_LIBUNWIND; }

const char *ms_walk_engine_reason(void) { return "the only engine built in"; }

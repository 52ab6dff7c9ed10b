#include "engine.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <string.h>

enum { most_frames = 512, most_own_frames = 4 };

uint32_t ms_libunwind_from(uintptr_t first, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                           ms_walk_end *end) {
  void *found[most_frames];
  uint64_t wanted = (uint64_t)capacity + skip + most_own_frames;
  if (wanted > most_frames) wanted = most_frames;
  uint32_t count = (uint32_t)unw_backtrace(found, (int)wanted);
  // How many frames of ours are on top depends on the build, the address of the first does not.
  uint32_t own = 0;
  while (own < count && own < most_own_frames && (uintptr_t)found[own] != first) own++;
  uint64_t left_out = (uint64_t)own + skip;
  *end = count == wanted ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  if (count <= left_out) return 0;
  uint32_t kept = count - (uint32_t)left_out;
  if (kept >= capacity) {
    kept = capacity;
    *end = MS_WALK_LIMIT;
  }
  memcpy(frames, found + left_out, kept * sizeof *frames);
  return kept;
}

__attribute__((noinline))
uint32_t ms_libunwind_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  return ms_libunwind_from(caller, frames, capacity, skip, end);
}

uint32_t ms_libunwind_context(const void *context, uintptr_t *frames, uint32_t capacity,
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
    if (address == 0 && count > 0) break;
    frames[count++] = (uintptr_t)address;
    step = unw_step(&cursor);
  }
  *end = step < 0 ? MS_WALK_NO_RULE : count == capacity ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  return count;
}

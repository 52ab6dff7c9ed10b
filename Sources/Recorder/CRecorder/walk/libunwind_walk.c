// Loads libunwind on first use instead of linking it: a service can start in an image without libunwind, and
// libunwind's symbols do not override the symbols of another library.

#include "engine.h"
#include "ms_return_address.h"

#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <libunwind.h>
#include <pthread.h>
#include <string.h>

enum { most_frames = 512, most_own_frames = 4 };

typedef struct {
  int (*backtrace)(void **frames, int capacity);
  int (*begin)(unw_cursor_t *cursor, unw_context_t *context, int flags);
  int (*get)(unw_cursor_t *cursor, int number, unw_word_t *value);
  int (*step)(unw_cursor_t *cursor);
} functions;

static functions libunwind;
static bool is_loaded;

// The header maps each function name to a name specific to the architecture.
#define NAME_OF(name) #name
#define NAME(function) NAME_OF(function)

// Weak, because a fully static program has no loader, and this file must not add one.
extern __typeof(dlopen) dlopen __attribute__((weak));
extern __typeof(dlsym) dlsym __attribute__((weak));

static void load(void) {
  if (dlopen == NULL || dlsym == NULL) return;
  void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) return;
  *(void **)&libunwind.backtrace = dlsym(library, NAME(unw_backtrace));
  *(void **)&libunwind.begin = dlsym(library, NAME(unw_init_local2));
  *(void **)&libunwind.get = dlsym(library, NAME(unw_get_reg));
  *(void **)&libunwind.step = dlsym(library, NAME(unw_step));
  is_loaded = libunwind.backtrace && libunwind.begin && libunwind.get && libunwind.step;
}

bool ms_libunwind_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

/// Returns true if `found` is the return address `address`. libunwind 1.3 reports some return addresses minus one.
static bool is_return(const void *found, uintptr_t address) {
  return (uintptr_t)found == address || (uintptr_t)found + 1 == address;
}

uint32_t ms_libunwind_from(uintptr_t first, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                           ms_walk_end *end) {
  *end = MS_WALK_UNAVAILABLE;
  if (!ms_libunwind_load()) return 0;
  void *found[most_frames];
  uint64_t wanted = (uint64_t)capacity + skip + most_own_frames;
  if (wanted > most_frames) wanted = most_frames;
  uint32_t count = (uint32_t)libunwind.backtrace(found, (int)wanted);
  // The number of our own frames on top depends on the build; the return address of the first frame does not.
  uint32_t own = 0;
  while (own < count && own < most_own_frames && !is_return(found[own], first)) own++;
  if (own < count && is_return(found[own], first)) found[own] = (void *)first;
  uint64_t left_out = (uint64_t)own + skip;
  *end = count == wanted ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  if (count <= left_out) return 0;
  uint32_t kept = count - (uint32_t)left_out;
  if (kept >= capacity) {
    kept = capacity;
    *end = MS_WALK_LIMIT;
  }
  for (uint32_t i = 0; i < kept; i++) frames[i] = ms_without_signature((uintptr_t)found[left_out + i]);
  return kept;
}

__attribute__((noinline))
uint32_t ms_libunwind_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  return ms_libunwind_from(caller, frames, capacity, skip, end);
}

uint32_t ms_libunwind_context(const void *context, uintptr_t *frames, uint32_t capacity,
                              ms_walk_end *end) {
  *end = MS_WALK_UNAVAILABLE;
  if (!ms_libunwind_load()) return 0;
  unw_context_t registers;
  memcpy(&registers, context, sizeof registers);
  unw_cursor_t cursor;
  *end = MS_WALK_NO_RULE;
  if (libunwind.begin(&cursor, &registers, UNW_INIT_SIGNAL_FRAME) != 0) return 0;
  uint32_t count = 0;
  int step = 1;
  while (step > 0 && count < capacity) {
    unw_word_t address;
    if (libunwind.get(&cursor, UNW_REG_IP, &address) != 0) return count;
    if (address == 0 && count > 0) break;
    frames[count++] = ms_without_signature((uintptr_t)address);
    step = libunwind.step(&cursor);
  }
  *end = step < 0 ? MS_WALK_NO_RULE : count == capacity ? MS_WALK_LIMIT : MS_WALK_COMPLETE;
  return count;
}

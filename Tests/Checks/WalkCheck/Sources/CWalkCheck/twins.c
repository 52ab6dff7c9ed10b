#include "CWalkCheck.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CRecorder.h"

// Two libraries whose only function differs in the size of its frame. A rule kept from the first
// would lead to a wrong frame in the second, which the loader puts at the same address.
enum { most_frames = 16 };
static uintptr_t frames[most_frames];
static uint32_t frame_count;
static ms_walk_end end;

static void walk_from_twin(void) { frame_count = ms_walk_here(frames, most_frames, 0, &end); }

__attribute__((noinline)) static uintptr_t call_twin(void (*twin)(void (*)(void))) {
  twin(walk_from_twin);
  __asm__ volatile("" : : : "memory");
  return (uintptr_t)__builtin_return_address(0);
}

// frames: walk_from_twin, the twin, call_twin, its caller.
static bool call_is_walked(void *library, const char *name, uintptr_t *address) {
  void (*twin)(void (*)(void)) = (void (*)(void (*)(void)))dlsym(library, "ms_twin");
  if (twin == NULL) return false;
  *address = (uintptr_t)twin;
  bool right = true;
  for (int again = 0; again < 3; again++) {
    uintptr_t caller = call_twin(twin);
    bool here = frame_count > 3 && frames[3] == caller;
    if (!here) printf("  twin %s: caller %lx is not frame 3 (%lx)\n", name, caller, frames[3]);
    right = right && here;
  }
  return right;
}

static void *open_twin(const char *name) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
  if (length < 0) return NULL;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  snprintf(slash + 1, 64, "lib%s.so", name);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool ms_check_twins(void) {
  static const char *const names[] = {"SmallTwin", "LargeTwin"};
  uintptr_t first = 0, address = 0;
  uint32_t at_same_address = 0;
  bool right = true;
  for (int round = 0; round < 20; round++) {
    void *library = open_twin(names[round % 2]);
    if (library == NULL) {
      printf("twins: %s\n", dlerror());
      return false;
    }
    right = call_is_walked(library, names[round % 2], &address) && right;
    if (round == 0) first = address;
    at_same_address += address == first;
    dlclose(library);
  }
  printf("twins: 20 times opened and closed, %u times at one address; %s\n", at_same_address,
         right ? "every frame right" : "WRONG FRAMES");
  return right && at_same_address > 10;
}

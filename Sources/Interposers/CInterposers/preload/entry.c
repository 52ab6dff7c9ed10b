// Starts when the loader loads this library, and ends with the process.

#include <unistd.h>

#include "preload.h"

static pid_t asked;  // the process with the request; 0: no request

__attribute__((constructor)) static void load(void) {
  ms_preload_request request = {0};
  bool is_asked = ms_preload_take_request(&request);
  if (is_asked) asked = getpid();
  ms_preload_begin(is_asked ? &request : NULL);
}

__attribute__((destructor)) static void unload(void) {
  if (asked == getpid()) ms_preload_end();
}

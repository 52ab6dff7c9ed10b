#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "ms_runtime.h"

typedef char *(*demangle)(const char *mangled, size_t length, char *output, size_t *size,
                          uint32_t flags);

bool ms_code_demangle(const char *mangled, char *name, size_t room) {
  demangle runtime = (demangle)dlsym(RTLD_DEFAULT, "swift_demangle");
  if (runtime == NULL || room == 0) return false;
  // The runtime allocates the buffer, because it would truncate the name in ours without reporting that.
  char *whole = runtime(mangled, strlen(mangled), NULL, NULL, 0);
  if (whole == NULL) return false;
  strncpy(name, whole, room - 1);
  name[room - 1] = 0;
  free(whole);
  return true;
}

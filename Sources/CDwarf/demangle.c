#include <stdlib.h>
#include <string.h>

#include "CDwarf.h"

// Both are exported by the Swift runtime, dynamic and static. The first writes the simplified form
// that the runtime's own backtraces show, and does C++ too; it is private to the runtime, hence weak.
extern char *_swift_backtrace_demangle(const char *mangled, size_t length, char *buffer,
                                       size_t *size) __attribute__((weak));
extern char *swift_demangle(const char *mangled, size_t length, char *buffer, size_t *size,
                            uint32_t flags);

size_t ms_demangle(const char *mangled, char *buffer, size_t capacity) {
  size_t length = strlen(mangled);
  size_t size = 0;
  // No buffer of ours is passed: the two differ in what they do with one that is too small.
  char *readable = _swift_backtrace_demangle
                       ? _swift_backtrace_demangle(mangled, length, NULL, &size)
                       : swift_demangle(mangled, length, NULL, NULL, 0);
  if (!readable) return 0;
  size_t written = strlen(readable);
  if (written >= capacity || strcmp(readable, mangled) == 0) written = 0;
  memcpy(buffer, readable, written);
  free(readable);
  return written;
}

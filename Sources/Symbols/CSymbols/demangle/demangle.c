#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ms_demangle.h"
#include "references.h"

// The runtimes that every Swift program links export these three functions, both dynamic and static.
// `_swift_backtrace_demangle` writes the simplified names of the Swift runtime's own backtraces; it is private to the
// runtime, and therefore declared weak.
extern char *_swift_backtrace_demangle(const char *mangled, size_t length, char *buffer,
                                       size_t *size) __attribute__((weak));
extern char *swift_demangle(const char *mangled, size_t length, char *buffer, size_t *size,
                            uint32_t flags);
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status);

// A name is untrusted: it may refer to earlier parts of itself, and in the worst case each pair of references doubles
// the text; a name of 240 characters expands to 285 million. No demangler accepts a limit, so names that might exceed
// this limit are not demangled.
static const size_t most_unfolded = (size_t)64 << 20;

static bool may_unfold_too_far(size_t length, size_t references) {
  return length > 8192 || references > 64 || length << (references / 2) > most_unfolded;
}

static bool is_swift(const char *mangled) {
  static const char *const prefixes[] = {"$s", "$S", "_$s", "_T0", "$e", "@__swiftmacro_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(mangled, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

ms_demangling ms_demangle(const char *mangled, char *buffer, size_t capacity, size_t *length) {
  bool cxx = strncmp(mangled, "_Z", 2) == 0;
  if (!cxx && !is_swift(mangled)) return MS_NOT_MANGLED;
  size_t mangled_length = strlen(mangled), size = 0;
  size_t references = cxx ? ms_cxx_references(mangled) : ms_swift_references(mangled);
  if (may_unfold_too_far(mangled_length, references)) return MS_NOT_TRIED;
  // No buffer is passed, because the demanglers differ in their treatment of a buffer that is too small.
  char *text = cxx ? __cxa_demangle(mangled, NULL, NULL, NULL)
               : _swift_backtrace_demangle
                   ? _swift_backtrace_demangle(mangled, mangled_length, NULL, &size)
                   : swift_demangle(mangled, mangled_length, NULL, NULL, 0);
  if (!text) return MS_NOT_MANGLED;
  *length = strlen(text);
  bool fits = *length <= capacity;
  if (fits) memcpy(buffer, text, *length);
  free(text);
  return fits ? MS_DEMANGLED : MS_DEMANGLED_TOO_LONG;
}

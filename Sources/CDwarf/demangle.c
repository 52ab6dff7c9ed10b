#include <stdlib.h>
#include <string.h>

#include "CDwarf.h"

// All three are exported by the runtimes that a Swift program has anyway, dynamic and static.
// The first writes the simplified form that the Swift runtime's own backtraces show; it is private
// to the runtime, hence weak.
extern char *_swift_backtrace_demangle(const char *mangled, size_t length, char *buffer,
                                       size_t *size) __attribute__((weak));
extern char *swift_demangle(const char *mangled, size_t length, char *buffer, size_t *size,
                            uint32_t flags);
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status);

// A name is untrusted: it may refer to earlier parts of itself, and each pair of references doubles
// the text at worst; one of 240 characters unfolds to 285 million. No demangler takes a limit, so
// that what might pass this one is not given to them.
static const size_t most_unfolded = (size_t)64 << 20;
static const size_t most_mangled = 8192;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static bool may_unfold_too_far(size_t length, size_t references) {
  return length > most_mangled || references > 64 || length << (references / 2) > most_unfolded;
}

/// `S1A_` and `T0_`; letters of identifiers are counted in, which only makes the number too large.
static size_t cxx_references(const char *mangled) {
  size_t count = 0;
  for (const char *at = mangled; *at; at++) {
    if (*at != 'S' && *at != 'T') continue;
    const char *end = at + 1;
    while (is_digit(*end) || is_upper(*end)) end++;
    if (*end == '_') count++;
  }
  return count;
}

/// `AB`, `AbcD` and `A3B`, which is B three times; identifiers are counted in here too.
static size_t swift_references(const char *mangled) {
  size_t count = 0;
  for (const char *at = mangled; *at; at++) {
    if (*at != 'A') continue;
    size_t repeats = 0;
    while (is_digit(at[1]) || is_lower(at[1])) {
      at++;
      if (is_digit(*at)) {
        if (repeats < 10000) repeats = repeats * 10 + (size_t)(*at - '0');
      } else {
        count += repeats ? repeats : 1;
        repeats = 0;
      }
    }
    // `A15_` is the fifteenth of a long list, not fifteen of them.
    count += repeats && at[1] != '_' ? repeats : 1;
  }
  return count;
}

static bool is_hex(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

/// Blanks what tells private declarations of one name apart, `33_` and 32 hexadecimal digits: readable
/// names leave it out, and half of them look like references to something a hundred times over.
static void blank_discriminators(char *mangled) {
  for (char *at = mangled; (at = strstr(at, "33_")); at += 3) {
    char *digits = at + 3, *end = digits;
    while (is_hex(*end) && end - digits < 32) end++;
    if (end - digits == 32 && *end == 'L') memset(digits, '0', 32);
  }
}

static bool is_swift(const char *mangled) {
  static const char *const prefixes[] = {"$s", "$S", "_$s", "_T0", "$e", "@__swiftmacro_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(mangled, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

// No buffer of ours is passed to a demangler: they differ in what they do with one that is too small.

static ms_demangling demangle_cxx(const char *mangled, char **text) {
  if (may_unfold_too_far(strlen(mangled), cxx_references(mangled))) return MS_DEMANGLED_TOO_LONG;
  *text = __cxa_demangle(mangled, NULL, NULL, NULL);
  return *text ? MS_DEMANGLED : MS_NOT_MANGLED;
}

static ms_demangling demangle_swift(const char *mangled, char **text) {
  size_t length = strlen(mangled), size = 0;
  // What is counted is what is demangled, so that a name that only looks private gains nothing.
  char *plain = length <= most_mangled ? strdup(mangled) : NULL;
  if (!plain) return MS_DEMANGLED_TOO_LONG;
  blank_discriminators(plain);
  ms_demangling outcome = MS_DEMANGLED_TOO_LONG;
  if (!may_unfold_too_far(length, swift_references(plain))) {
    *text = _swift_backtrace_demangle ? _swift_backtrace_demangle(plain, length, NULL, &size)
                                      : swift_demangle(plain, length, NULL, NULL, 0);
    outcome = *text ? MS_DEMANGLED : MS_NOT_MANGLED;
  }
  free(plain);
  return outcome;
}

ms_demangling ms_demangle(const char *mangled, char *buffer, size_t capacity, size_t *length) {
  bool cxx = strncmp(mangled, "_Z", 2) == 0;
  if (!cxx && !is_swift(mangled)) return MS_NOT_MANGLED;
  char *text = NULL;
  ms_demangling outcome = cxx ? demangle_cxx(mangled, &text) : demangle_swift(mangled, &text);
  if (outcome != MS_DEMANGLED) return outcome;
  *length = strlen(text);
  bool fits = *length <= capacity;
  if (fits) memcpy(buffer, text, *length);
  free(text);
  return fits ? MS_DEMANGLED : MS_DEMANGLED_TOO_LONG;
}

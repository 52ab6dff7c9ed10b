#include "references.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_one_of(char c, const char *set) { return c && strchr(set, c); }

/// Counts substitutions such as `S1A_` and `T0_`. Letters of identifiers are counted too, which only makes the number
/// too large.
size_t ms_cxx_references(const char *mangled) {
  size_t count = 0;
  for (const char *at = mangled; *at; at++) {
    if (*at != 'S' && *at != 'T') continue;
    const char *end = at + 1;
    while (is_digit(*end) || is_upper(*end)) end++;
    if (*end == '_') count++;
  }
  return count;
}

/// Reads the references after an `A`: `AB`, `AbcD`, or `A3B`, which is B three times.
static const char *read_references(const char *at, size_t *count) {
  size_t repeats = 0;
  for (; is_digit(*at) || is_lower(*at); at++) {
    if (is_digit(*at)) {
      if (repeats < 10000) repeats = repeats * 10 + (size_t)(*at - '0');
    } else {
      *count += repeats ? repeats : 1;
      repeats = 0;
    }
  }
  // `A15_` is a single reference with a large index, not fifteen references.
  *count += repeats && *at != '_' ? repeats : 1;
  return *at ? at + 1 : at;
}

/// Counts repeated standard types: `S2i` is Int twice. A few repeats add no more text than the rest of a name.
static size_t standard_references(const char *at) {
  size_t repeats = 0;
  for (at++; is_digit(*at) && repeats < 10000; at++) repeats = repeats * 10 + (size_t)(*at - '0');
  return repeats > 16 ? repeats - 16 : 0;
}

/// The marker of a parameter pack. The runtime's demangler traps on a marker outside of a generic signature, which
/// this parser cannot recognize; one name in ten thousand has a marker.
static bool is_pack_marker(const char *at) { return *at == 'R' && is_one_of(at[1], "vV"); }

/// Counts everything that could be a reference, without parsing the name.
static size_t references_in_any(const char *at) {
  size_t count = 0;
  while (*at) {
    if (is_pack_marker(at)) return MS_NEVER_TRY;
    if (*at == 'S') count += standard_references(at);
    if (*at++ != 'A') continue;
    const char *end = read_references(at, &count);
    // The last character of a reference may be the first of another reference.
    at = end > at ? end - 1 : end;
  }
  return count;
}

/// Reads an identifier: `3Foo`, `05InnerA0`, where letters refer to earlier words, or `005punyc`. Returns NULL for
/// any other text.
static const char *read_identifier(const char *at, const char *end) {
  bool has_words = false, is_punycode = false;
  if (*at == '0') {
    at++;
    is_punycode = *at == '0';
    has_words = !is_punycode;
    if (is_punycode) at++;
  }
  do {
    while (has_words && (is_lower(*at) || is_upper(*at))) has_words = is_lower(*at++);
    if (*at == '0') return at + 1;
    if (!is_digit(*at)) return NULL;
    size_t length = 0;
    for (; is_digit(*at); at++)
      if (length <= 100000) length = length * 10 + (size_t)(*at - '0');
    if (is_punycode && *at == '_') at++;
    if (length > (size_t)(end - at)) return NULL;
    at += length;
  } while (has_words);
  return at;
}

/// Reads an index, `_` or `12_`; returns NULL for any other text.
static const char *read_index(const char *at) {
  while (is_digit(*at)) at++;
  return *at == '_' ? at + 1 : NULL;
}

/// Reads a reference to a generic parameter: `z`, `0_`, `d_0_`.
static const char *read_parameter(const char *at) {
  if (*at == 'z') return at + 1;
  if (*at != 'd') return read_index(at);
  at = read_index(at + 1);
  return at ? read_index(at) : NULL;
}

/// Reads a type of the standard library after its `S`: `Si`, `S2i` or `ScM`.
static const char *read_standard(const char *at) {
  while (is_digit(*at)) at++;
  if (*at == 'c') at++;
  return *at ? at + 1 : NULL;
}

/// Reads the counts of a generic signature after its `r`, such as `0_zl`.
static const char *read_counts(const char *at) {
  while (at && *at != 'l') at = *at == 'z' ? at + 1 : read_index(at);
  return at ? at + 1 : NULL;
}

/// Reads a thunk without operands, or a generic specialization: `Tg5`, `Tt0gq5`.
static const char *read_thunk(const char *at) {
  if (is_one_of(*at, "rRAamcjq")) return at + 1;
  while (*at == 't')
    for (at++; is_digit(*at);) at++;
  if (!is_one_of(*at++, "gGBi")) return NULL;
  while (is_one_of(*at, "maq")) at++;
  return is_digit(*at) ? at + 1 : NULL;
}

/// Reads the calling convention of a function: `egyozo_`, `eghHgILgggozo_`. Conventions that name a C type, `zB` and
/// `zC`, are not supported.
static const char *read_convention(const char *at) {
  while (is_lower(*at) || is_one_of(*at, "HILT")) at++;
  return *at == '_' ? at + 1 : NULL;
}

static const char *read_requirement(const char *at) {
  if (is_one_of(*at, "BSQ")) return at + 1;
  if (*at == 'i') {
    at = read_index(at + 1);
    return at ? read_parameter(at) : NULL;
  }
  return read_parameter(is_one_of(*at, "cCbtTspP") ? at + 1 : at);
}

static const char *read_archetype(const char *at) {
  if (is_one_of(*at, "yY")) return read_parameter(at + 1);
  if (is_one_of(*at, "oR")) return read_index(at + 1);
  return is_one_of(*at, "zZxXarOpP") ? at + 1 : NULL;
}

static const char *read_function(const char *at) {
  if (is_one_of(*at, "AUu")) return read_index(at + 1);
  return is_one_of(*at, "CDcdEiPW") ? at + 1 : NULL;
}

static const char *read_local(const char *at) {
  bool is_related = (*at >= 'a' && *at <= 'j') || (*at >= 'A' && *at <= 'J');
  return is_related || *at == 'L' || *at == 'l' ? at + 1 : read_index(at);
}

/// Reads an operator that is not a reference. Returns NULL if the length of the operator is unknown: a following
/// identifier could then not be distinguished from an index or a number.
static const char *read_operator(const char *at) {
  char kind = *at++;
  if (is_one_of(kind, "CDEFGKNOPVZ_acdhlmnpstuxyz")) return at;
  switch (kind) {
    case 'S': return read_standard(at);
    case 'q': return read_parameter(at);
    case 'r': return read_counts(at);
    case 'R': return read_requirement(at);
    case 'Q': return read_archetype(at);
    case 'f': return read_function(at);
    case 'L': return read_local(at);
    case 'T': return read_thunk(at);
    case 'I': return read_convention(at);
    case 'X': return is_one_of(*at, "DEKlp") ? at + 1 : NULL;
    case 'Y': return is_one_of(*at, "abcikKtTu") ? at + 1 : NULL;
    case 'o': return is_one_of(*at, "ipP") ? at + 1 : NULL;
    case 'i':
    case 'v': return is_one_of(*at, "gsmMprw") ? at + 1 : NULL;
    default: return NULL;
  }
}

static const char *after_prefix(const char *mangled) {
  static const char *const prefixes[] = {"$s", "$S", "$e", "_$s", "_$S"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i]);
    if (strncmp(mangled, prefixes[i], length) == 0) return mangled + length;
  }
  return NULL;
}

/// Counts the references of a Swift name. Identifiers, which are full of letters, are skipped as long as the parser
/// is certain of its position.
size_t ms_swift_references(const char *mangled) {
  const char *at = after_prefix(mangled);
  if (!at) return references_in_any(mangled);
  const char *end = at + strlen(at);
  size_t count = 0;
  while (*at) {
    const char *next = at + 1;
    if (is_pack_marker(at)) return MS_NEVER_TRY;
    if (*at == 'S') count += standard_references(at);
    if (*at == 'A')
      next = read_references(next, &count);
    else if (is_digit(*at))
      next = read_identifier(at, end);
    else
      next = read_operator(at);
    if (!next) {
      size_t rest = references_in_any(at);
      return rest == MS_NEVER_TRY ? rest : count + rest;
    }
    at = next;
  }
  return count;
}

// Names of functions and libraries whose calls are no findings.
#ifndef MAINSTAY_ALLOW_LIST_H
#define MAINSTAY_ALLOW_LIST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_MOST_ALLOWED = 256 };

/// A list that only grows, so that readers need no lock.
typedef struct {
  _Atomic uint32_t count;
  const char *_Atomic texts[MS_MOST_ALLOWED];
} ms_allow_list;

/// Adds a name, which must stay valid; returns false if the list is full. Signal safety: safe.
bool ms_allow_list_add(ms_allow_list *list, const char *name);

/// True if the list contains a name. Signal safety: safe.
bool ms_allow_list_has(const ms_allow_list *list, const char *name);

/// True if the list contains the library of a file. A listed name without a version matches all versions: `libpq.so`
/// allows `libpq.so.5`. Signal safety: safe.
bool ms_allow_list_has_file(const ms_allow_list *list, const char *file);

#endif

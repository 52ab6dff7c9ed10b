// Changes what the modules of this process call when they call a function by its name.
#ifndef MAINSTAY_IMPORTS_H
#define MAINSTAY_IMPORTS_H

#include <stdbool.h>

/// A function that modules import, and ours that they are to call before it.
typedef struct {
  const char *name;
  void **real;  // what ours calls
  void *ours;
} ms_overheard;

#define MS_OVERHEARD(name) {#name, (void **)&real_##name, (void *)name##_overheard}

/// Finds the real functions, as everybody does: one may be a sanitizer's. False if one is not there.
/// Asks the loader, so that no lock may be held. Not signal-safe.
bool ms_overheard_find(const ms_overheard *functions, unsigned count);

/// Puts ours before the real ones, or the real ones where ours are, in every module that is loaded now
/// and imports `beside` as well; NULL: in every module. What cannot be changed stays as it is.
/// Returns how many entries it found to change. Not signal-safe.
unsigned ms_overheard_change(const char *beside, const ms_overheard *functions, unsigned count,
                             bool begins);

/// An address inside the shared library that defines `defines`; NULL if none exists, or it is linked into the
/// program or into the library that contains this code, whose own calls would be overheard as well. Asks the
/// loader, so that no lock may be held. Not signal-safe.
const void *ms_overheard_library(const char *defines);

/// The same as `ms_overheard_change` in the one module that contains `inside`; in none if that is NULL. If an entry
/// cannot be changed, all stay as they were, and the number is 0.
unsigned ms_overheard_change_inside(const void *inside, const ms_overheard *functions, unsigned count,
                                    bool begins);

#endif

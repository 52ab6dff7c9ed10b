// Changes what the modules of this process call when they call a function by its name.
#ifndef MAINSTAY_IMPORT_HOOKS_H
#define MAINSTAY_IMPORT_HOOKS_H

#include <stdbool.h>

/// A function that modules import, and ours that they are to call before it.
typedef struct {
  const char *name;
  void **real;  // what ours calls
  void *ours;
} ms_import_hook;

#define MS_IMPORT_HOOK(name) {#name, (void **)&real_##name, (void *)name##_hooked}

/// Finds the real functions, as everybody does: one may be a sanitizer's. False if one is not there.
/// Asks the loader, so that no lock may be held. Not signal-safe.
bool ms_import_hooks_find(const ms_import_hook *functions, unsigned count);

/// Puts ours before the real ones, or the real ones where ours are, in every module that is loaded now
/// and imports `beside` as well; NULL: in every module. What cannot be changed stays as it is.
/// Returns how many entries it found to change. Not signal-safe.
unsigned ms_import_hooks_change(const char *beside, const ms_import_hook *functions, unsigned count,
                             bool begins);

/// An address inside the shared library that defines `defines`; NULL if none exists, or it is linked into the
/// program or into the library that contains this code, whose own calls would be overheard as well. Asks the
/// loader, so that no lock may be held. Not signal-safe.
const void *ms_library_defining(const char *defines);

/// The same as `ms_import_hooks_change` in the one module that contains `inside`; in none if that is NULL. If an entry
/// cannot be changed, all stay as they were, and the number is 0.
unsigned ms_import_hooks_change_inside(const void *inside, const ms_import_hook *functions, unsigned count,
                                    bool begins);

#endif

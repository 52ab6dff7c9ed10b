// Replaces the functions that modules of this process call through their import tables.
#ifndef MAINSTAY_IMPORT_HOOKS_H
#define MAINSTAY_IMPORT_HOOKS_H

#include <stdbool.h>

/// An imported function, and our replacement, which calls the real one.
typedef struct {
  const char *name;
  void **real;  // the variable that receives the real function
  void *ours;
} ms_import_hook;

#define MS_IMPORT_HOOK(name) {#name, (void **)&real_##name, (void *)name##_hooked}

/// Finds the real functions by normal symbol lookup, which may return a sanitizer's. Returns false if one is missing.
/// Calls the loader, so no lock may be held. Not signal-safe.
bool ms_import_hooks_find(const ms_import_hook *functions, unsigned count);

/// Installs our functions in the import tables of all loaded modules that also import `beside` (NULL: of all
/// modules), or restores the real functions. Entries that cannot be changed stay as they are. Returns the number of
/// changed entries. Not signal-safe.
unsigned ms_import_hooks_change(const char *beside, const ms_import_hook *functions, unsigned count,
                             bool begins);

/// Returns an address inside the shared library that defines `defines`. NULL if no such library exists, or if it is
/// linked into the program or into the library that contains this code, whose own calls would be hooked as well.
/// Calls the loader, so no lock may be held. Not signal-safe.
const void *ms_library_defining(const char *defines);

/// Like `ms_import_hooks_change`, for the module that contains `inside`; no module if `inside` is NULL. If one entry
/// cannot be changed, none is, and the result is 0.
unsigned ms_import_hooks_change_inside(const void *inside, const ms_import_hook *functions, unsigned count,
                                    bool begins);

#endif

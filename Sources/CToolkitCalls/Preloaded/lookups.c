// Stands in front of `dlsym`, for programs that look a toolkit's functions up: interpreters, plugins.

#include <dlfcn.h>
#include <stddef.h>

#include "../list.h"

/// What says that there is no such function, as the loader says it.
static void *none(const char *name) {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library ? ms_real_dlsym()(library, name) : NULL;
}

__attribute__((visibility("default"))) void *dlsym(void *restrict handle, const char *restrict name) {
  ms_dlsym real = ms_real_dlsym();
  ms_toolkit_entry *entry = handle != RTLD_NEXT ? ms_toolkit_entry_named(name) : NULL;
  // The loader looks at who calls: that must stay who called us.
  if (!entry) __attribute__((musttail)) return real(handle, name);
  void *found = real(handle, name), *function = ms_toolkit_real(entry);
  // A function that only we define is none.
  if (found == ms_toolkit_front(entry) && !function) return none(name);
  return found && found == function ? ms_toolkit_front(entry) : found;
}

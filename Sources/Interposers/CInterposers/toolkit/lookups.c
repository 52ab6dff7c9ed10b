// Interposes `dlsym`, for interpreters and plugins that look up a toolkit's functions.

#include <dlfcn.h>
#include <stddef.h>

#include "list.h"
#include "thread_starts.h"

/// Reports a missing function by the loader's own error.
static void *none(const char *name) {
  void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library ? ms_real_dlsym()(library, name) : NULL;
}

/// Finds the interposer of a function, and the real function; returns false if the function has no interposer.
static bool has_front(const char *name, void **front, void **function) {
  ms_toolkit_entry *entry = ms_toolkit_entry_named(name);
  if (!entry) return ms_toolkit_queues_by(name, front, function);
  *front = ms_toolkit_front(entry);
  *function = ms_toolkit_real(entry);
  return true;
}

__attribute__((visibility("default"))) void *dlsym(void *restrict handle, const char *restrict name) {
  ms_dlsym real = ms_real_dlsym();
  void *front = NULL, *function = NULL;
  // The loader uses the caller's address, which must remain that of the original caller.
  if (handle == RTLD_NEXT || !has_front(name, &front, &function)) __attribute__((musttail)) return real(handle, name);
  void *found = real(handle, name);
  // A function that only this library defines counts as missing.
  if (found == front && !function) return none(name);
  return found && found == function ? front : found;
}

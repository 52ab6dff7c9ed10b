// Keeps the library that contains this code loaded: the host may close a plugin that links Mainstay while threads,
// handlers and the C library still have addresses of our code.

#include <dlfcn.h>
#include <link.h>

#include "log_internal.h"
#include "ms_symbols.h"

/// Marks the containing library as never unloaded. The C library calls our destructor when a thread that recorded
/// ends, and a host's handler that was installed after ours may continue to call ours. If the host closes the library
/// and opens it again, the loader returns the same one. musl never unloads libraries.
void ms_stay_loaded(void) {
#ifdef __GLIBC__
  static _Atomic bool stays;
  if (atomic_load(&stays)) return;
  const struct link_map *map = ms_symbol_module((const void *)ms_stay_loaded);
  bool is_library = map && map->l_name[0] != 0;  // not the program itself
  if (is_library) dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  atomic_store(&stays, true);
#endif
}

// Keeps our code loaded: a plugin that holds it may be closed while threads, handlers and the C library
// still have addresses of ours.

#include <dlfcn.h>
#include <link.h>

#include "log_internal.h"
#include "ms_symbols.h"

/// Every thread that recorded calls us once more when it ends, whenever that is; a handler of the host's
/// that was installed after ours may go on calling ours. So the library that holds us is never unloaded:
/// closed and opened again, it is the same one. musl unloads nothing.
void ms_stay_loaded(void) {
#ifdef __GLIBC__
  static _Atomic bool stays;
  if (atomic_load(&stays)) return;
  const struct link_map *map = ms_symbol_module((const void *)ms_stay_loaded);
  bool is_library = map && map->l_name[0] != 0;  // and not the program itself
  if (is_library) dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  atomic_store(&stays, true);
#endif
}

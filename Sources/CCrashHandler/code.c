// Whether an address belongs to code that the loader knows.

#include <dlfcn.h>
#include <link.h>

#include "crash.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

bool ms_is_code(uintptr_t address) {
  struct dl_find_object object;
  return _dl_find_object != NULL && _dl_find_object((void *)address, &object) == 0;
}
#else
bool ms_is_code(uintptr_t address) { return address >= 65536; }
#endif

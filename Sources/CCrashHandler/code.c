// What can be said of an address without touching what it points to.

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/// rt_sigprocmask copies its set in before it looks at `how`: EFAULT says that the word cannot be
/// read. Nothing is changed, as there is no such `how`.
bool ms_is_readable(uintptr_t address) {
  return syscall(SYS_rt_sigprocmask, -1, address, NULL, 8L) == 0 || errno != EFAULT;
}

// Makes the pools of threads of a test bundle as narrow as on a machine with fewer processors.
//
// Dispatch lets as many threads of a pool run as the affinity mask has processors, and keeps as many threads at most,
// blocked ones included, as `sysconf` counts processors.

#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "testing.h"

const char ms_test_pool_variable[] = "MAINSTAY_TEST_POOL";

/// Returns the number in the variable; 0 without the variable. Remembers the number, because the library removes the
/// variable later.
static unsigned long wanted(void) {
  static _Atomic long known = -1;
  if (known < 0) {
    const char *text = getenv(ms_test_pool_variable);
    known = text && ms_is_test_bundle() ? strtol(text, NULL, 10) : 0;
  }
  return known > 0 ? (unsigned long)known : 0;
}

bool ms_test_pool_narrow(void) {
  cpu_set_t all, few;
  unsigned long most = wanted();
  if (most == 0 || sched_getaffinity(0, sizeof all, &all) != 0) return false;
  if ((unsigned long)CPU_COUNT(&all) <= most) return false;
  CPU_ZERO(&few);
  for (int i = 0; i < CPU_SETSIZE && (unsigned long)CPU_COUNT(&few) < most; i++) {
    if (CPU_ISSET(i, &all)) CPU_SET(i, &few);
  }
  return sched_setaffinity(0, sizeof few, &few) == 0;
}

typedef long (*sysconf_function)(int);

/// Interposes `sysconf`.
__attribute__((visibility("default"))) long sysconf(int name) {
  static _Atomic(sysconf_function) real;
  if (!real) real = (sysconf_function)dlsym(RTLD_NEXT, "sysconf");
  sysconf_function ask = real;
  long found = ask(name);
  if (name != _SC_NPROCESSORS_ONLN && name != _SC_NPROCESSORS_CONF) return found;
  unsigned long most = wanted();
  return most > 0 && (long)most < found ? (long)most : found;
}

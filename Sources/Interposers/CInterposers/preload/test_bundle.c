#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

static char executable[PATH_MAX];

bool ms_is_test_bundle(void) {
  static const char suffix[] = ".xctest";
  ssize_t size = readlink("/proc/self/exe", executable, sizeof executable - 1);
  ssize_t length = sizeof suffix - 1;
  return size > length && strcmp(executable + size - length, suffix) == 0;
}

const char *ms_test_executable(void) { return executable; }

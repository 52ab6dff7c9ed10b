// Follows a program that executes another program in the same process, such as a script that begins with
// `#!/usr/bin/env python3`, or the last line of an entry script: passes the request of `crashscan run` on.

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload.h"

#define MS_REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

typedef int (*execute_function)(const char *, char *const *, char *const *);

/// Executes a program with an environment that contains the request. Returns only on failure. A forked child has
/// another process id and gets no request: `crashscan run` does not record children.
static int follow(execute_function execute, const char *program, char *const *arguments, char *const *environment) {
  char **asked = ms_preload_environment(environment);
  if (!asked) return execute(program, arguments, environment);
  ms_preload_hand_over();
  int result = execute(program, arguments, asked);
  free(asked);
  return result;
}

__attribute__((visibility("default"))) int execve(const char *path, char *const arguments[], char *const environment[]) {
  return follow(MS_REAL(execve), path, arguments, environment);
}

__attribute__((visibility("default"))) int execv(const char *path, char *const arguments[]) {
  return execve(path, arguments, environ);
}

__attribute__((visibility("default"))) int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  return follow(MS_REAL(execvpe), file, arguments, environment);
}

__attribute__((visibility("default"))) int execvp(const char *file, char *const arguments[]) {
  return execvpe(file, arguments, environ);
}

/// Collects the arguments from `first` up to the NULL in the array `arguments`, and returns the result of `execute`,
/// which may read further arguments from `again`.
#define MS_WITH_LIST(first, execute)                         \
  va_list list, again;                                       \
  va_start(list, first);                                     \
  va_copy(again, list);                                      \
  size_t count = 1;                                          \
  while (va_arg(list, char *)) count++;                      \
  char *arguments[count + 1];                                \
  arguments[0] = (char *)first;                              \
  for (size_t i = 1; i <= count; i++) arguments[i] = va_arg(again, char *); \
  int result = execute;                                      \
  va_end(again);                                             \
  va_end(list);                                              \
  return result

__attribute__((visibility("default"))) int execl(const char *path, const char *first, ...) {
  MS_WITH_LIST(first, execv(path, arguments));
}

__attribute__((visibility("default"))) int execlp(const char *file, const char *first, ...) {
  MS_WITH_LIST(first, execvp(file, arguments));
}

__attribute__((visibility("default"))) int execle(const char *path, const char *first, ...) {
  MS_WITH_LIST(first, execve(path, arguments, va_arg(again, char *const *)));
}

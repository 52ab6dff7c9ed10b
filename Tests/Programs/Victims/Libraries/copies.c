// A program with two copies of us, each in a library of its own: a service and its plugin.
//
// copies LIBRARY LOG SIGNAL WAY; the second copy is LIBRARY.2, its log LOG.2. WAY is "none", or who ends first:
// "first" or "second"; or "host": a handler of the program's own stands between the copies.

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRecorder.h"

typedef struct {
  ms_log *log;
  __typeof__(ms_watch_end) *end;
} copy;

static copy begin(const char *library, const char *path) {
  void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (loaded == NULL) exit(2);
  __typeof__(ms_log_open) *open_log = dlsym(loaded, "ms_log_open");
  __typeof__(ms_watch_begin) *watch = dlsym(loaded, "ms_watch_begin");
  copy begun = {.end = dlsym(loaded, "ms_watch_end")};
  if (!open_log || !watch || !begun.end) exit(3);
  ms_log_options where = {.path = path, .capacity = 1 << 20};
  ms_log_failure failure;
  begun.log = open_log(&where, &failure);
  if (begun.log == NULL) exit(4);
  watch(begun.log, MS_WATCH_TERMINATION);
  return begun;
}

static struct sigaction before;
static volatile sig_atomic_t handled;

static void hand_on(int signal, siginfo_t *info, void *context) {
  handled++;
  before.sa_sigaction(signal, info, context);
}

int main(int count, char **arguments) {
  if (count < 5) return 64;
  char library[4096], path[4096];
  snprintf(library, sizeof library, "%s.2", arguments[1]);
  snprintf(path, sizeof path, "%s.2", arguments[2]);
  int number = atoi(arguments[3]);
  const char *way = arguments[4];
  copy first = begin(arguments[1], arguments[2]);
  struct sigaction own = {.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO};
  if (strcmp(way, "host") == 0) sigaction(number, &own, &before);
  copy second = begin(library, path);
  if (first.end == second.end) return 5;
  if (strcmp(way, "first") == 0) first.end(first.log);
  if (strcmp(way, "second") == 0) second.end(second.log);
  raise(number);
  printf("lives, handled %d\n", (int)handled);
  return 0;
}

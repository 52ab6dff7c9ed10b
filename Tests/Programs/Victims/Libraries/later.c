// A program that loads a library with us inside, and dies on a thread that was there before.
//
// later LIBRARY LOG

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "CCrashHandler.h"

static pthread_barrier_t loaded;
static volatile int zero, sink;

static void *die_later(void *context) {
  pthread_barrier_wait(&loaded);
  sink = *(volatile int *)(uintptr_t)zero;
  return context;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  pthread_t thread;
  pthread_barrier_init(&loaded, NULL, 2);
  pthread_create(&thread, NULL, die_later, NULL);
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  __typeof__(ms_log_open) *open_log = dlsym(library, "ms_log_open");
  __typeof__(ms_crash_install) *install = dlsym(library, "ms_crash_install");
  if (open_log == NULL || install == NULL) return 2;
  ms_log_options where = {.path = arguments[2], .capacity = 4 << 20};
  ms_log_failure failure;
  ms_log *log = open_log(&where, &failure);
  if (log == NULL) return 3;
  ms_crash_options how = {.log = log, .thread_budget_ns = 1000000000};
  install(&how);
  pthread_barrier_wait(&loaded);
  pthread_join(thread, NULL);
  return 4;
}

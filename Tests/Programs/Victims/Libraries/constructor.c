// A program that opens a log while one of its threads loads a library whose constructor opens another.
//
// constructor LIBRARY LOG; built once more, with IS_LIBRARY, to be that library: LOG.so

#ifdef IS_LIBRARY
void open_in_constructor(void);
__attribute__((constructor)) static void construct(void) { open_in_constructor(); }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "CRecorder.h"

static __typeof__(ms_log_open) *open_log;
static void (*watch)(ms_log *log, unsigned watched);
static pthread_barrier_t both;

static int begin(const char *path) {
  ms_log_options where = {.path = path, .capacity = 1 << 20};
  ms_log_failure failure;
  ms_log *log = open_log(&where, &failure);
  if (log == NULL) return 1;
  watch(log, MS_WATCH_TERMINATION | MS_WATCH_WAITED);
  return 0;
}

static const char *log_path;

/// The loader's lock is held here. Time for the other thread to come as far as it can without it.
void open_in_constructor(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s.constructor", log_path);
  pthread_barrier_wait(&both);
  usleep(100000);
  if (begin(path) != 0) _exit(3);
}

static void *load(void *unused) {
  (void)unused;
  char path[4096];
  snprintf(path, sizeof path, "%s.so", log_path);
  if (dlopen(path, RTLD_NOW) == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    _exit(4);
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) return 1;
  open_log = dlsym(library, "ms_log_open");
  watch = dlsym(library, "ms_watch_begin");
  if (!open_log || !watch) return 2;
  log_path = arguments[2];
  alarm(500);  // two that wait for each other do so for ever
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  if (pthread_create(&thread, NULL, load, NULL) != 0) return 5;
  pthread_barrier_wait(&both);
  if (begin(log_path) != 0) return 6;
  pthread_join(thread, NULL);
  return 0;
}
#endif

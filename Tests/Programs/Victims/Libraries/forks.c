// A program that forks while its threads open and close logs. Each child opens one of its own, and some
// children live on: they hold nothing of what was being opened.
//
// forks LIBRARY LOG

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CRecorder.h"

static __typeof__(ms_log_open) *open_log;
static __typeof__(ms_log_close) *close_log;
static void (*watch)(ms_log *log, unsigned watched);
static void (*unwatch)(ms_log *log);
static const char *log_path;
static _Atomic int stops, failures;

enum { openers = 2, living = 20 };

/// Opens, watches and closes; the result of a failure to open.
static ms_open_result cycle(const char *name, int number) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s%d", log_path, name, number);
  ms_log_options where = {.path = path, .capacity = 1 << 18};
  ms_log_failure failure;
  ms_log *log = open_log(&where, &failure);
  if (log == NULL) return failure.result;
  watch(log, 7);
  unwatch(log);
  close_log(log);
  return MS_OPEN_OK;
}

static void *open_and_close(void *number) {
  while (!stops) failures += cycle("parent", *(int *)number) != MS_OPEN_OK;
  return NULL;
}

/// A child that waits for another thread of its parent's, which it has not, is ended by its alarm.
static void run_child(void) {
  alarm(300);
  _exit(cycle("child", 0));
}

/// As many as there is time for.
static int count_of_children(void) {
  const char *tests = getenv("MAINSTAY_TESTS");
  return tests && strcmp(tests, "short") == 0 ? 30 : 100;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) return 1;
  open_log = dlsym(library, "ms_log_open");
  close_log = dlsym(library, "ms_log_close");
  watch = dlsym(library, "ms_watch_begin");
  unwatch = dlsym(library, "ms_watch_end");
  if (!open_log || !close_log || !watch || !unwatch) return 2;
  log_path = arguments[2];
  alarm(500);  // where each opening waits for a lock that a child holds
  pthread_t threads[openers];
  static int numbers[openers] = {0, 1};
  for (int i = 0; i < openers; i++) {
    if (pthread_create(&threads[i], NULL, open_and_close, &numbers[i]) != 0) return 3;
  }
  int children = count_of_children(), lost = 0, started = 0;
  pid_t alive[living];
  for (int i = 0; i < children; i++) {
    if (i < living && (alive[started++] = fork()) == 0) {
      for (;;) pause();
    }
    pid_t child = fork();
    if (child == 0) run_child();
    int status = 0;
    if (waitpid(child, &status, 0) == child && status != 0) lost++;
    if (lost) break;  // each takes its time
  }
  stops = 1;
  for (int i = 0; i < openers; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < started; i++) kill(alive[i], SIGKILL);
  printf("children lost %d, logs refused %d\n", lost, failures);
  return 0;
}

// A program whose forked child goes on with many threads, and ends the one that forked. No two threads may
// record through the same slot: what the parent's thread had is not the child's.
//
// forked LIBRARY LOG

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CRecorder.h"

enum { at_once = 150 };  // more than make it look for slots that were left behind

static __typeof__(ms_log_open) *open_log;
static __typeof__(ms_log_enter) *enter;
static __typeof__(ms_log_leave) *leave;
static ms_log *log;
static ms_log_thread *slots[2 * at_once];
static _Atomic int taken;
static pthread_barrier_t all;
static pthread_t forker;

static ms_log *begin(const char *path) {
  ms_log_options where = {.path = path, .capacity = 1 << 20};
  ms_log_failure failure;
  return open_log(&where, &failure);
}

static void *record_and_live_on(void *unused) {
  (void)unused;
  ms_log_thread *slot = enter(log, MS_KIND_NOTE);
  slots[taken++] = slot;
  if (slot) leave(slot);
  pthread_barrier_wait(&all);
  for (;;) pause();
}

static void start_threads(void) {
  pthread_barrier_init(&all, NULL, at_once + 1);
  pthread_t thread;
  for (int i = 0; i < at_once; i++) {
    if (pthread_create(&thread, NULL, record_and_live_on, NULL) != 0) _exit(5);
  }
  pthread_barrier_wait(&all);
}

static void *go_on_without(void *unused) {
  (void)unused;
  pthread_join(forker, NULL);
  start_threads();
  int shared = 0;
  for (int i = 0; i < 2 * at_once; i++) {
    for (int j = 0; j < i; j++) shared += slots[i] == slots[j];
  }
  printf("slots shared %d\n", shared);
  fflush(stdout);
  _exit(0);
}

static void run_child(const char *path) {
  char own[4096];
  snprintf(own, sizeof own, "%s.child", path);
  log = begin(own);
  if (log == NULL) _exit(4);
  start_threads();
  pthread_t thread;
  forker = pthread_self();
  if (pthread_create(&thread, NULL, go_on_without, NULL) != 0) _exit(5);
  pthread_exit(NULL);
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) return 1;
  open_log = dlsym(library, "ms_log_open");
  enter = dlsym(library, "ms_log_enter");
  leave = dlsym(library, "ms_log_leave");
  if (!open_log || !enter || !leave) return 2;
  ms_log *parents = begin(arguments[2]);
  if (parents == NULL) return 3;
  leave(enter(parents, MS_KIND_NOTE));
  pid_t child = fork();
  if (child == 0) run_child(arguments[2]);
  int status = 1;
  waitpid(child, &status, 0);
  return status != 0;
}

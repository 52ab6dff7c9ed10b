// A program that closes a library with us inside, while a thread that recorded through it lives on.
//
// unloaded LIBRARY LOG

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "CRecorder.h"
#include "CCrashHandler.h"

static pthread_barrier_t recorded, closed;
static __typeof__(ms_log_note) *note;

static void *record_and_live_on(void *log) {
  ms_note_shape shape = {.message_size = 5, .category_size = 4, .level = 2};
  note(log, shape, "host", "crumb", 0, NULL);
  pthread_barrier_wait(&recorded);
  pthread_barrier_wait(&closed);
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  __typeof__(ms_log_open) *open_log = dlsym(library, "ms_log_open");
  __typeof__(ms_log_close) *close_log = dlsym(library, "ms_log_close");
  __typeof__(ms_crash_install) *install = dlsym(library, "ms_crash_install");
  __typeof__(ms_crash_uninstall) *uninstall = dlsym(library, "ms_crash_uninstall");
  note = dlsym(library, "ms_log_note");
  if (!open_log || !close_log || !install || !uninstall || !note) return 2;
  ms_log_options where = {.path = arguments[2], .capacity = 1 << 20};
  ms_log_failure failure;
  ms_log *log = open_log(&where, &failure);
  if (log == NULL) return 3;
  ms_crash_options how = {.log = log, .thread_budget_ns = 1000000000};
  install(&how);
  pthread_t thread;
  pthread_barrier_init(&recorded, NULL, 2);
  pthread_barrier_init(&closed, NULL, 2);
  if (pthread_create(&thread, NULL, record_and_live_on, log) != 0) return 4;
  pthread_barrier_wait(&recorded);
  uninstall();
  close_log(log);
  if (dlclose(library) != 0) return 5;
  pthread_barrier_wait(&closed);
  pthread_join(thread, NULL);
  return 0;
}

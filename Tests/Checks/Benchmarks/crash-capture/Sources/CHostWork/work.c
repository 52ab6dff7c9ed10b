#include "CHostWork.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

static sigjmp_buf back;
static volatile int sink;

static void leave(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

void install_recovering_handler(void) {
  struct sigaction action = {.sa_handler = leave};
  sigaction(SIGSEGV, &action, 0);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

__attribute__((noinline)) static void meet_faults(int count, int depth) {
  if (depth > 0) {
    meet_faults(count, depth - 1);
    sink++;
    return;
  }
  for (volatile int i = 0; i < count; i++) {
    if (sigsetjmp(back, 1) == 0) sink = *(volatile int *)(uintptr_t)(i & 0);
  }
}

double recover_from_faults(int count) {
  double begin = now();
  meet_faults(count, 10);
  return (now() - begin) / count;
}

static void *end(void *context) { return context; }

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

double begin_threads(int count, int by_c_library) {
  create_function create = pthread_create;
  if (by_c_library) {
    create = (create_function)dlsym(dlopen("libc.so.6", RTLD_NOW), "pthread_create");
  }
  double begin = now();
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (create(&thread, 0, end, 0) == 0) pthread_join(thread, 0);
  }
  return (now() - begin) / count;
}

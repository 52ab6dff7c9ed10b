// A program under the thread sanitizer that recovers from faults by a long jump, on threads whose stacks lie below and
// above the alternate one that we give them.
//
// sanitized LIBRARY LOG

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "CCrashHandler.h"

enum { most_threads = 4, faults = 20, stack_size = 1 << 20 };
static _Thread_local sigjmp_buf back;
static volatile int sink;

static void jump_away(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void *recover(void *unused) {
  for (volatile int i = 0; i < faults; i++) {
    if (sigsetjmp(back, 1) == 0) sink = *(volatile int *)(uintptr_t)(sink & 0);
  }
  return unused;
}

/// The lowest addresses that there are: everything else lies above such a stack.
static void *low_stack(void) {
  void *memory = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) return 1;
  __typeof__(ms_log_open) *open_log = dlsym(library, "ms_log_open");
  __typeof__(ms_crash_install) *install = dlsym(library, "ms_crash_install");
  if (!open_log || !install) return 2;
  struct sigaction action = {.sa_handler = jump_away, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  ms_log_options where = {.path = arguments[2], .capacity = 4 << 20};
  ms_log_failure failure;
  ms_crash_options how = {.log = open_log(&where, &failure), .thread_budget_ns = 1000000000};
  if (how.log == NULL) return 3;
  install(&how);
  for (int i = 0; i < most_threads; i++) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    void *low = i % 2 ? low_stack() : NULL;
    if (low) pthread_attr_setstack(&attributes, low, stack_size);
    if (pthread_create(&thread, &attributes, recover, NULL) != 0) return 4;
    pthread_join(thread, NULL);
  }
  recover(NULL);
  printf("recovered\n");
  return 0;
}

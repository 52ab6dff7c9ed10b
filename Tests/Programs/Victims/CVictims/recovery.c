// A host that makes faults into something it can go on from; and one that breaks its queues.

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "CRecorder.h"
#include "CVictims.h"

static sigjmp_buf back;
static volatile sig_atomic_t armed;
static volatile int sink;

static void recover(int signal) {
  if (armed) siglongjmp(back, 1);
  struct sigaction by_default = {.sa_handler = SIG_DFL};
  sigaction(signal, &by_default, NULL);
}

void install_recovering_handler(void) {
  struct sigaction action = {.sa_handler = recover};
  sigaction(SIGSEGV, &action, NULL);
}

int has_recovering_handler(void) {
  struct sigaction now;
  return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == recover;
}

int has_crash_handler(void) {
  struct sigaction now;
  return sigaction(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO);
}

unsigned long current_handlers(void) {
  enum { sa_restorer = 0x04000000 };  // the C library's own, whoever calls it
  unsigned long sum = 0;
  for (int signal = 1; signal < 32; signal++) {
    struct sigaction now;
    if (sigaction(signal, NULL, &now) != 0) continue;
    int flags = now.sa_flags & ~sa_restorer;
    sum = sum * 31 + (unsigned long)now.sa_handler + (unsigned long)flags;
  }
  return sum;
}

int is_ignored(int signal) {
  struct sigaction now;
  return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

__attribute__((noinline)) static void touch(int place) {
  sink = *(volatile int *)(uintptr_t)(place & 0);
}

void recover_by_long_jump(int faults) {
  for (volatile int i = 0; i < faults; i++) {
    armed = 1;
    if (sigsetjmp(back, 1) == 0) touch(i);
    armed = 0;
  }
}

/// Recovers on the upper one of two alternate stacks, and then on the lower.
int recover_on_a_lower_stack(void) {
  enum { size = 64 << 10 };
  char *memory = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 1; i >= 0; i--) {
    stack_t stack = {.ss_sp = memory + i * size, .ss_size = size};
    if (memory == MAP_FAILED || sigaltstack(&stack, NULL) != 0) return 0;
    recover_by_long_jump(1);
  }
  return 1;
}

static void *fault_and_end(void *context) {
  recover_by_long_jump(1);
  return context;
}

/// Handles SIGABRT too, as one does that reports crashes, and yet recovers.
void recover_by_a_reporting_handler(void) {
  struct sigaction action = {.sa_handler = recover};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGABRT, &action, NULL);
}

void recover_on_another_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fault_and_end, NULL);
  pthread_join(thread, NULL);
}

void die_where_it_recovered(void) {
  recover_by_long_jump(3000);
  touch(3000);
  sink = 1;
}

void break_queue_label(void *queue) {
  *(uintptr_t *)((char *)queue + ms_queue_learned.label) = 0x10;
}

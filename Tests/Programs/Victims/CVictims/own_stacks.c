// Handlers that were installed without SA_ONSTACK, and need more than an alternate stack has.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "CVictims.h"

enum { kibibyte = 1024, handler_kibibytes = 200, deepest = 40, skipped = 3 };

static _Thread_local sigjmp_buf back;
static volatile sig_atomic_t handled, nested;
static volatile int sink;

/// Keeps a compiler from leaving out what lies there.
static void use(char *memory) { __asm__ volatile("" ::"r"(memory) : "memory"); }

__attribute__((noinline)) static void use_stack(int kibibytes) {
  char used[kibibyte];
  memset(used, kibibytes, sizeof used);
  use(used);
  if (kibibytes > 0) use_stack(kibibytes - 1);
  use(used);
}

static void jump_away(int signal) {
  (void)signal;
  handled++;
  use_stack(handler_kibibytes);
  siglongjmp(back, 1);
}

/// The other signal's handler runs on the alternate stack, which must be free by then.
static void jump_away_after_another_signal(int signal) {
  raise(SIGUSR1);
  jump_away(signal);
}

static void note_nested(int signal) {
  (void)signal;
  nested++;
  use_stack(8);
}

__attribute__((noinline)) static void fault_deep(int depth) {
  char used[kibibyte];
  use(used);
  if (depth > 0) fault_deep(depth - 1);
  else sink = *(volatile int *)(uintptr_t)(sink & 0);
  use(used);
}

static int faults;

static void recover_at_all_depths(void) {
  // Ever deeper and ever shallower: a handler that was left lies above the next one, or below it.
  for (volatile int depth = 0; depth < deepest; depth += skipped) {
    faults++;
    if (sigsetjmp(back, 1) == 0) fault_deep(depth);
  }
  for (volatile int depth = deepest; depth > 0; depth -= skipped) {
    faults++;
    if (sigsetjmp(back, 1) == 0) fault_deep(depth);
  }
}

static void *recover_on_thread(void *unused) {
  recover_at_all_depths();
  return unused;
}

static void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigaction(signal, &action, NULL);
}

void handle_with_large_frames(void) {
  handle(SIGUSR1, note_nested, SA_ONSTACK);
  handle(SIGSEGV, jump_away_after_another_signal, 0);
}

int recover_with_large_frames(void) {
  pthread_t thread;
  recover_at_all_depths();
  if (pthread_create(&thread, NULL, recover_on_thread, NULL) != 0) return 0;
  pthread_join(thread, NULL);
  return handled == faults && nested == faults;
}

// --- Handlers that return

static const double vectors[] = {1.5, 2.5, 4.5};

static void skip_instruction(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  handled++;
  use_stack(handler_kibibytes);
  // What the interrupted code has in its vector registers is to be restored after this.
  volatile double other = handled * 3.25;
  sink = (int)other;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  machine->gregs[REG_RIP] += 6;  // movl $1, (%rax)
#elif defined(__aarch64__)
  machine->pc += 4;
#endif
}

void handle_by_skipping(void) {
  struct sigaction action = {.sa_sigaction = skip_instruction, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
}

int return_from_large_frames(void) {
  enum { times = 300 };
  int before = handled;
  for (int i = 0; i < times; i++) {
    double a = vectors[i % 3], b = a * i;
#if defined(__x86_64__)
    __asm__ volatile("xorl %%eax, %%eax\n\tmovl $1, (%%rax)" : "+x"(a), "+x"(b)::"rax", "memory", "cc");
#elif defined(__aarch64__)
    __asm__ volatile("mov x9, #0\n\tstr x9, [x9]" : "+w"(a), "+w"(b)::"x9", "memory");
#endif
    if (a != vectors[i % 3] || b != a * i) return 0;
  }
  return handled == before + times;
}

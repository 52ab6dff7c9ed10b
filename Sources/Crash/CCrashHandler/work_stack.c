// Reserved stacks for work in a handler whose current stack is too small.

#include <sched.h>

#include "crash.h"

enum {
  enough = 24 * 1024,      // space for the work, and for another kernel frame if the work faults
  work_size = 40 * 1024,
  fault_size = 24 * 1024,
  reserve_count = 3,       // the first is for the crashed thread
};

typedef struct {
  _Alignas(64) uint8_t work[work_size];
  _Alignas(64) uint8_t fault[fault_size];
  _Atomic uint32_t is_taken;
} reserve;

static reserve reserves[reserve_count];

static bool has_room(const ucontext_t *context) {
  const stack_t *stack = &context->uc_stack;
  uintptr_t room = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)stack->ss_sp;
  return !(stack->ss_flags & SS_DISABLE) && room < stack->ss_size && room >= enough;
}

/// Calls `work` with the stack pointer at `top`.
static void call_on(uint8_t *top, void (*work)(void *), void *argument) {
#if defined(__x86_64__)
  register void *first __asm__("rdi") = argument;
  __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %1, %%rsp\n\tcallq *%2\n\tmovq %%rbx, %%rsp"
                   : "+r"(first)
                   : "r"(top), "r"(work)
                   : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                     "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
#elif defined(__aarch64__)
  register void *first __asm__("x0") = argument;
  __asm__ volatile("mov x19, sp\n\tmov sp, %1\n\tblr %2\n\tmov sp, x19"
                   : "+r"(first)
                   : "r"(top), "r"(work)
                   : "x19", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                     "x12", "x13", "x14", "x15", "x16", "x17", "x30", "v0", "v1", "v2", "v3", "v4",
                     "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                     "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                     "v28", "v29", "v30", "v31", "memory", "cc");
#else
#error "How to call a function on another stack is not known for this architecture."
#endif
}

typedef struct {
  void (*work)(void *);
  void *argument;
  reserve *at;
} visit;

/// Replaces the alternate stack during the work: the host's alternate stack may contain the frames to which the work
/// returns, and a fault in the work would overwrite them.
static void work_on_reserve(void *context) {
  visit *visit = context;
  stack_t ours = {.ss_sp = visit->at->fault, .ss_size = fault_size}, hosts;
  syscall(SYS_sigaltstack, &ours, &hosts);
  visit->work(visit->argument);
  syscall(SYS_sigaltstack, &hosts, NULL);
}

/// Takes a reserved stack; waits only briefly, because work on such a stack takes microseconds.
static reserve *take(ms_worker worker) {
  enum { patience = 4096 };
  if (worker == MS_WORKER_CRASHED) return &reserves[0];
  for (int i = 0; i < patience; i++) {
    for (int place = 1; place < reserve_count; place++) {
      if (atomic_exchange(&reserves[place].is_taken, 1) == 0) return &reserves[place];
    }
    sched_yield();
  }
  return NULL;
}

bool ms_with_room(const ucontext_t *context, ms_worker worker, void (*work)(void *),
                  void *argument) {
  if (has_room(context)) {
    work(argument);
    return true;
  }
  visit visit = {work, argument, take(worker)};
  if (visit.at == NULL) return false;
  call_on(visit.at->work + work_size, work_on_reserve, &visit);
  atomic_store(&visit.at->is_taken, 0);
  return true;
}

#include "CWalkSubjects.h"

#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "CRecorder.h"

enum { page = 4096, few = 64 };

#if defined(__aarch64__)
static void set_place(ucontext_t *context, uintptr_t pc, uintptr_t stack) {
  context->uc_mcontext.pc = pc;
  context->uc_mcontext.sp = context->uc_mcontext.regs[29] = stack;
  context->uc_mcontext.regs[30] = (uintptr_t)ms_walks_stay_within + 4;
}

// A caller is known without the stack.
enum { frames_off_stack = 2 };

static void return_from_call(ucontext_t *context) { context->uc_mcontext.pc = context->uc_mcontext.regs[30]; }
#else
static void set_place(ucontext_t *context, uintptr_t pc, uintptr_t stack) {
  greg_t *registers = context->uc_mcontext.gregs;
  registers[REG_RIP] = (greg_t)pc;
  registers[REG_RSP] = registers[REG_RBP] = (greg_t)stack;
}

enum { frames_off_stack = 1 };

static void return_from_call(ucontext_t *context) {
  greg_t *registers = context->uc_mcontext.gregs;
  registers[REG_RIP] = *(greg_t *)registers[REG_RSP];
  registers[REG_RSP] += 8;
}
#endif

// A sanitizer would make functions longer than `ms_address_is_in` takes them to be.
#define MS_PLAIN __attribute__((noinline, disable_sanitizer_instrumentation))

MS_PLAIN uintptr_t ms_first_frame_of_here(uintptr_t *next, uint32_t skip) {
  uintptr_t frames[2] = {0};
  ms_walk_end end;
  ms_walk_here(frames, 2, skip, &end);
  *next = frames[1];
  return frames[0];
}

bool ms_address_is_in(uintptr_t address, const void *function) {
  enum { longest = 256 };
  return address > (uintptr_t)function && address < (uintptr_t)function + longest;
}

MS_PLAIN bool ms_first_frame_is_the_caller(void) {
  uintptr_t next, other;
  uintptr_t first = ms_first_frame_of_here(&next, 0);
  // Left out by `skip`, the caller's caller comes first: it returns into this function.
  uintptr_t second = ms_first_frame_of_here(&other, 1);
  return ms_address_is_in(first, (const void *)ms_first_frame_of_here)
      && ms_address_is_in(next, (const void *)ms_first_frame_is_the_caller)
      && ms_address_is_in(second, (const void *)ms_first_frame_is_the_caller);
}

// Seccomp's strict mode kills a process at any system call but read, write and exit.
static void walk_without_system_calls(void) {
  uintptr_t frames[few];
  ms_walk_end end;
  ms_walk_here(frames, few, 0, &end);
  uint64_t probes = ms_walk_memory_probes();
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  for (int round = 0; round < 1000; round++) {
    if (round % 10 == 0) ms_walk_forget_rules();
    ms_walk_here(frames, few, 0, &end);
  }
  syscall(SYS_exit, ms_walk_memory_probes() == probes ? 0 : 1);
}

bool ms_warm_walks_call_no_system(void) {
  pid_t child = fork();
  if (child == 0) walk_without_system_calls();
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

// A stack between pages that cannot be read, with a chain of frame records that leads out of it.
bool ms_walks_stay_within(void) {
  uint8_t *area = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) return false;
  mprotect(area + page, page, PROT_READ | PROT_WRITE);
  uintptr_t *words = (uintptr_t *)(area + page);
  uintptr_t low = (uintptr_t)words, high = low + page;
  uint32_t last = page / sizeof *words - 2;
  words[0] = (uintptr_t)&words[last];
  words[1] = (uintptr_t)ms_walks_stay_within + 4;
  words[last] = high;  // the next record would be the first word outside
  words[last + 1] = (uintptr_t)ms_walks_stay_within + 4;
  ucontext_t context;
  memset(&context, 0, sizeof context);
  set_place(&context, 0x1000, low);
  uintptr_t frames[few];
  ms_walk_end end = MS_WALK_COMPLETE;
  uint32_t count = ms_walk_frame_pointers(&context, low, high, frames, few, &end);
  bool right = count == 3 && end == MS_WALK_BAD_STACK;
  count = ms_walk_context_within(&context, low, high, frames, few, &end);
  right = right && count >= 1 && end != MS_WALK_COMPLETE;
  count = ms_walk_context_within(&context, low, low, frames, few, &end);
  right = right && count == frames_off_stack && end == MS_WALK_BAD_STACK;
  count = ms_walk_context_within(&context, high, low, frames, few, &end);
  right = right && count == frames_off_stack && end == MS_WALK_BAD_STACK;
  count = ms_walk_context_within(&context, 0, 0, frames, few, &end);
  right = right && count == frames_off_stack && end == MS_WALK_BAD_STACK;
  munmap(area, 3 * page);
  return right;
}

// What a call through a null pointer leaves: the return address on top of the stack.
static volatile uint32_t null_call_frames;
static uintptr_t null_call[few];
static void walk_null_call(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  ms_walk_end end;
  null_call_frames = ms_walk_context(context, null_call, few, &end);
  return_from_call(context);
}

MS_PLAIN bool ms_null_call_keeps_its_caller(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO}, before;
  action.sa_sigaction = walk_null_call;
  sigaction(SIGSEGV, &action, &before);
  void (*volatile nothing)(void) = NULL;
  nothing();
  sigaction(SIGSEGV, &before, NULL);
  return null_call_frames > 2 && null_call[0] == 0
      && ms_address_is_in(null_call[1], (const void *)ms_null_call_keeps_its_caller);
}

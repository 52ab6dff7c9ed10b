#include "subjects.h"

#include <alloca.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

// Keeps a frame alive to its end: no tail call, no folding.
#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

static const char *current;

static int compare_and_order(const void *left, const void *right) {
  ms_compare_here(current);
  return *(const int *)left - *(const int *)right;
}

static void run_qsort(void) {
  int numbers[] = {3, 1, 2};
  current = "qsort";
  qsort(numbers, 3, sizeof *numbers, compare_and_order);
}

static void run_bsearch(void) {
  int numbers[] = {1, 2, 3}, key = 3;
  current = "bsearch";
  KEEP(bsearch(&key, numbers, 3, sizeof *numbers, compare_and_order));
}

static void visit(const void *node, VISIT order, int depth) {
  (void)node, (void)depth;
  if (order == preorder || order == leaf) ms_compare_here("twalk");
}

static void run_tree(void) {
  static int numbers[] = {2, 1, 3};
  void *root = NULL;
  current = "tsearch";
  for (int index = 0; index < 3; index++) tsearch(&numbers[index], &root, compare_and_order);
  twalk(root, visit);
  while (root != NULL) tdelete(*(int **)root, &root, compare_and_order);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void compare_once(void) { ms_compare_here("pthread_once"); }
static void run_once(void) { pthread_once(&once, compare_once); }

static void *compare_in_thread(void *nothing) {
  ms_compare_here("a thread");
  return nothing;
}

static void run_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, compare_in_thread, NULL) == 0) pthread_join(thread, NULL);
}

__attribute__((noinline)) static int recurse(int depth, const char *name) {
  volatile char room[24];
  room[depth % 24] = (char)depth;
  if (depth == 0) {
    ms_compare_here(name);
    return room[0];
  }
  return recurse(depth - 1, name) + room[depth % 24];
}

static void run_recursion(void) { recurse(20000, "recursion, 20,000 deep"); }

__attribute__((noinline)) static void use_large_frame(void) {
  char room[200000];
  memset(room, 1, sizeof room);
  KEEP(room);
  ms_compare_here("a frame of 200 kB");
  KEEP(room);
}

__attribute__((noinline)) static void use_alloca(size_t size) {
  char *room = alloca(size);
  memset(room, 1, size);
  KEEP(room);
  ms_compare_here("alloca");
  KEEP(room);
}

static void run_alloca(void) {
  for (size_t size = 16; size < 70000; size *= 9) use_alloca(size);
}

__attribute__((noinline)) static void use_aligned(size_t size) {
  _Alignas(256) char room[512];
  char *more = alloca(size);
  memset(room, 1, sizeof room);
  memset(more, 1, size);
  KEEP(room);
  KEEP(more);
  ms_compare_here("a realigned frame");
  KEEP(room);
}

static void run_aligned(void) { use_aligned(100); }

static void compare_in_handler(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  ms_compare_here(current);
  ms_compare_context(current, context);
}

static void with_handler(int flags, void (*body)(void)) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | flags}, before;
  action.sa_sigaction = compare_in_handler;
  sigaction(SIGUSR2, &action, &before);
  body();
  sigaction(SIGUSR2, &before, NULL);
}

static int raise_and_order(const void *left, const void *right) {
  raise(SIGUSR2);
  return *(const int *)left - *(const int *)right;
}

static void raise_below_qsort(void) {
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof *numbers, raise_and_order);
}

static void run_signal(void) {
  current = "a signal handler";
  with_handler(0, raise_below_qsort);
}

static void run_alternate_stack(void) {
  size_t size = 256 << 10;
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size}, before;
  current = "a signal handler on an alternate stack";
  sigaltstack(&stack, &before);
  with_handler(SA_ONSTACK, raise_below_qsort);
  sigaltstack(&before, NULL);
  free(stack.ss_sp);
}

static void compare_nested(int number, siginfo_t *info, void *context) {
  if (number == SIGUSR1) {
    raise(SIGUSR2);
  } else {
    compare_in_handler(number, info, context);
  }
}

static void run_nested_signals(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO}, first, second;
  action.sa_sigaction = compare_nested;
  current = "a handler that interrupted a handler";
  sigaction(SIGUSR1, &action, &first);
  sigaction(SIGUSR2, &action, &second);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &first, NULL);
  sigaction(SIGUSR2, &second, NULL);
}

// An instruction that traps has not run: its address, not the one before it, has the rule.
#if !defined(__aarch64__)
__attribute__((noinline)) static void divide(volatile int *zero) { *zero = 1 / *zero; }
#endif

static sigjmp_buf after_fault;
static void compare_fault(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  ms_compare_context(current, context);
  siglongjmp(after_fault, 1);
}

static void catching(int signal_number, void (*body)(void)) {
  struct sigaction action = {.sa_flags = SA_SIGINFO}, before;
  action.sa_sigaction = compare_fault;
  sigaction(signal_number, &action, &before);
  if (sigsetjmp(after_fault, 1) == 0) body();
  sigaction(signal_number, &before, NULL);
}

#if !defined(__aarch64__)
static void divide_by_zero(void) {
  volatile int zero = 0;
  divide(&zero);
}
#endif

static void read_null(void) {
  volatile int *nothing = NULL;
  KEEP(&nothing);
  KEEP(*nothing);
}

static void run_faults(void) {
#if !defined(__aarch64__)  // where that traps nothing
  current = "a division by zero";
  catching(SIGFPE, divide_by_zero);
#endif
  current = "a read of address 0";
  catching(SIGSEGV, read_null);
}

static ucontext_t around, inside;
static void compare_in_context(void) { ms_compare_here("makecontext"); }

static void run_context(void) {
  size_t size = 256 << 10;
  void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return;
  getcontext(&inside);
  inside.uc_stack = (stack_t){.ss_sp = stack, .ss_size = size};
  inside.uc_link = &around;
  makecontext(&inside, compare_in_context, 0);
  swapcontext(&around, &inside);
  munmap(stack, size);
}

static void compare_from_made_code(void) { ms_compare_here("code made at run time"); }

// A frame that only a register leads out of that no rule word knows: the whole walk needs registers.
void ms_call_by_r12(void (*callback)(void));
#if defined(__aarch64__)
__asm__(
    ".text\n.globl ms_call_by_r12\n.type ms_call_by_r12, %function\nms_call_by_r12:\n"
    ".cfi_startproc\n"
    "stp x19, x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x19, -16\n.cfi_offset x30, -8\n"
    "mov x19, sp\n.cfi_def_cfa_register x19\n"
    "sub sp, sp, #80\n"
    "blr x0\n"
    "mov sp, x19\n.cfi_def_cfa_register sp\n"
    "ldp x19, x30, [sp], #16\n.cfi_def_cfa_offset 0\n.cfi_restore x19\n.cfi_restore x30\n"
    "ret\n.cfi_endproc\n.size ms_call_by_r12, . - ms_call_by_r12\n");

// A function that signs where it returns to, saves nothing else, and keeps no frame pointer.
void ms_call_signed(void (*callback)(void));
__asm__(
    ".text\n.globl ms_call_signed\n.type ms_call_signed, %function\nms_call_signed:\n"
    ".cfi_startproc\n"
    "hint #25\n.cfi_negate_ra_state\n"  // paciasp
    "str x30, [sp, #-32]!\n.cfi_def_cfa_offset 32\n.cfi_offset x30, -32\n"
    "blr x0\n"
    "ldr x30, [sp], #32\n.cfi_restore x30\n.cfi_def_cfa_offset 0\n"
    "hint #29\n.cfi_negate_ra_state\n"  // autiasp
    "ret\n.cfi_endproc\n.size ms_call_signed, . - ms_call_signed\n");
#else
__asm__(
    ".text\n.globl ms_call_by_r12\n.type ms_call_by_r12, @function\nms_call_by_r12:\n"
    ".cfi_startproc\n"
    "push %r12\n.cfi_def_cfa_offset 16\n.cfi_offset %r12, -16\n"
    "mov %rsp, %r12\n.cfi_def_cfa_register %r12\n"
    "sub $80, %rsp\n"
    "call *%rdi\n"
    "mov %r12, %rsp\n.cfi_def_cfa_register %rsp\n"
    "pop %r12\n.cfi_def_cfa_offset 8\n"
    "ret\n.cfi_endproc\n.size ms_call_by_r12, . - ms_call_by_r12\n");
#endif

static void compare_above_r12(void) { ms_compare_here("a frame that one register alone leads out of"); }
static void run_by_r12(void) {
  ms_call_by_r12(compare_above_r12);
  ms_call_by_r12(run_recursion);
}

#if defined(__aarch64__)
static void compare_above_signed(void) { ms_compare_here("a function that signs where it returns to"); }
static void raise_here(void) { raise(SIGUSR2); }
static void raise_below_signed(void) { ms_call_signed(raise_here); }
static void run_signed(void) {
  ms_call_signed(compare_above_signed);
  current = "a signal below a function that signs where it returns to";
  with_handler(0, raise_below_signed);
}
#endif

// Code no object holds, with a frame pointer: push rbp; mov rbp, rsp; call *rdi; pop rbp; ret. And for arm64:
// stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret.
static void run_made_code(void) {
#if defined(__aarch64__)
  static const uint32_t code[] = {0xA9BF7BFD, 0x910003FD, 0xD63F0000, 0xA8C17BFD, 0xD65F03C0};
#else
  static const unsigned char code[] = {0x55, 0x48, 0x89, 0xE5, 0xFF, 0xD7, 0x5D, 0xC3};
#endif
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  memcpy(page, code, sizeof code);
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  __builtin___clear_cache(page, (char *)page + sizeof code);
  ((void (*)(void (*)(void)))page)(compare_from_made_code);
  munmap(page, 4096);
}

const ms_subject ms_c_subjects[] = {
    {"qsort", run_qsort}, {"bsearch", run_bsearch}, {"tsearch", run_tree},
    {"pthread_once", run_once}, {"thread", run_thread}, {"recursion", run_recursion},
    {"large frame", use_large_frame}, {"alloca", run_alloca}, {"realigned frame", run_aligned},
    {"signal", run_signal}, {"alternate stack", run_alternate_stack},
    {"nested signals", run_nested_signals}, {"faults", run_faults}, {"makecontext", run_context},
    {"made code", run_made_code}, {"CFA in a register", run_by_r12},
#if defined(__aarch64__)
    {"signed", run_signed},
#endif
};
const uint32_t ms_c_subject_count = sizeof ms_c_subjects / sizeof *ms_c_subjects;

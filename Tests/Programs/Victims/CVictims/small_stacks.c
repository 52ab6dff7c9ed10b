// Alternate stacks that are as small as the kernel allows, and what lies below them.

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "CVictims.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/// Where the kernel does not say what its frame takes.
#if defined(__aarch64__)
#define KERNEL_FRAME 5120
#else
#define KERNEL_FRAME 2048
#endif

enum { below = 32768, canary = 0xa5, largest = 16384, step = 256, own_need = 512 };

static uint8_t *memory;
static sigjmp_buf back;
static volatile sig_atomic_t handled;
static volatile int sink;

static void set_stack(size_t size) {
  if (memory == NULL) memory = malloc(below + largest);
  memset(memory, canary, below + largest);
  stack_t small = {.ss_sp = memory + below, .ss_size = size};
  if (sigaltstack(&small, NULL) != 0) abort();
}

static int overwritten(void) {
  int lowest = 0;
  while (lowest < below && memory[lowest] == canary) lowest++;
  return below - lowest;
}

static void jump_away(int signal) {
  (void)signal;
  handled++;
  siglongjmp(back, 1);
}

static void go_on(int signal) {
  (void)signal;
  handled++;
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(signal, &action, NULL);
}

static void fault_once(void) {
  if (sigsetjmp(back, 1) == 0) sink = *(volatile int *)(uintptr_t)(handled & 0);
}

/// The kernel's own frame fits, and a small handler's of the host.
static size_t smallest(void) {
  size_t frame = getauxval(AT_MINSIGSTKSZ);
  return (frame < KERNEL_FRAME ? KERNEL_FRAME : frame) + own_need;
}

static int tried_sizes(void (*try_it)(void)) {
  int bad = 0, tried = 0;
  set_stack(smallest());
  try_it();  // where functions are found when they are first called, that takes two kilobytes
  for (size_t size = smallest(); size <= largest; size += step) {
    set_stack(size);
    int before = handled;
    try_it();
    tried++;
    if (handled == before) printf("with %zu bytes it was not handled\n", size);
    if (overwritten()) printf("with %zu bytes %d below were overwritten\n", size, overwritten());
    bad += handled == before || overwritten();
  }
  if (tried == 0) printf("no size to try\n");
  return bad > 0 || tried == 0;
}

static void be_terminated(void) { raise(SIGTERM); }

void handle_on_small_stacks(void) { handle(SIGSEGV, jump_away), handle(SIGTERM, go_on); }

void recover_on_small_stacks(void) {
  int bad = tried_sizes(fault_once) + tried_sizes(be_terminated);
  fflush(stdout);
  _exit(bad ? 1 : 0);
}

void begin_to_hang_on_small_stack(void) { set_stack(smallest()); }

void check_small_stack(void) {
  if (overwritten() == 0) return;
  printf("%d below were overwritten\n", overwritten());
  fflush(stdout);
  _exit(1);
}

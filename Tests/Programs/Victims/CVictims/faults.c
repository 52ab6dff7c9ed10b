// Deaths by a fault.

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CVictims.h"

static volatile int sink;
static volatile int zero;

void die_null_read(void) { sink = *(volatile int *)(uintptr_t)zero; }

void die_bad_pointer(void) { sink = *(volatile int *)(uintptr_t)0x1234567890; }

void die_write_readonly(void) { *(volatile char *)(uintptr_t)die_null_read = 8; }

static uint8_t data_not_code[16] = {0x90};
void die_jump_to_data(void) {
  void (*volatile jump)(void) = (void (*)(void))(uintptr_t)data_not_code;
  jump();
  sink = 1;
}

void die_call_null(void) {
  void (*volatile call)(void) = (void (*)(void))(uintptr_t)zero;
  call();
  sink = 1;
}

void die_undefined_instruction(void) {
#if defined(__x86_64__)
  __asm__ volatile("ud2");
#else
  __asm__ volatile("udf #0");
#endif
  sink = 1;
}

void die_trap(void) { __builtin_trap(); }

void die_breakpoint(void) {
#if defined(__x86_64__)
  __asm__ volatile("int3");
#else
  __asm__ volatile("brk #1");
#endif
  sink = 1;
}

#if defined(__x86_64__)
void die_wild_pointer(void) { sink = *(volatile int *)(uintptr_t)0xa5a5a5a5a5a5a5a5; }

void die_privileged_instruction(void) {
  __asm__ volatile("hlt");
  sink = 1;
}

void die_divide_by_zero(void) { sink = 7 / zero; }

/// With alignment checks on, an access that straddles is a bus error.
void die_misaligned(void) {
  static volatile uint64_t words[2];
  volatile uint32_t *odd = (volatile uint32_t *)((uintptr_t)words + 1);
  __asm__ volatile("pushf\n\torl $0x40000, (%%rsp)\n\tpopf\n\tmovl (%0), %%eax" ::"r"(odd)
                   : "eax", "memory");
  sink = 1;
}
#endif

void die_truncated_mapping(void) {
  FILE *file = tmpfile();
  if (file == NULL || ftruncate(fileno(file), 4096) != 0) return;
  volatile int *mapping = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
  if (ftruncate(fileno(file), 0) != 0) return;
  sink = *mapping;
}

__attribute__((noinline)) static int descend(volatile int *outer) {
  volatile int inner[256];
  inner[0] = *outer + 1;
  return descend((volatile int *)inner) + inner[0];
}

void die_stack_overflow(void) {
  volatile int start = 0;
  sink = descend(&start);
}

/// The frames nearest to the fault are gone: what is called returns into nothing.
__attribute__((noinline)) static void smash_upwards(void) {
  volatile uintptr_t here[2] = {0};
  volatile uintptr_t *frame = (volatile uintptr_t *)__builtin_frame_address(0);
  for (int i = 0; i < 64; i++) frame[i] = 0x4141414141414141;
  sink = *(volatile int *)(uintptr_t)zero + (int)here[0];
}

void die_stack_smashed_at_top(void) {
  smash_upwards();
  sink = 1;
}

/// The outermost frames are gone, those nearest to the fault are whole.
__attribute__((noinline)) static void fault_below(int depth) {
  if (depth > 0) {
    fault_below(depth - 1);
    sink++;
    return;
  }
  sink = *(volatile int *)(uintptr_t)zero;
}

void die_stack_smashed_at_bottom(void) {
  volatile uintptr_t *frame = (volatile uintptr_t *)__builtin_frame_address(0);
  for (int i = 2; i < 40; i++) frame[i] = 0x4141414141414141;
  fault_below(5);
  sink = 1;
}

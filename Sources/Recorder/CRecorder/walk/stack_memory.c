#include "stack_memory.h"

#include "ms_address.h"
#include "ms_walk.h"

#if MS_HAS_RULES
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

MS_WALKS_BEGIN

enum {
  page_size = 4096,
  farthest_reach = 8 << 20,  // the largest supported frame
  farthest_join = 1 << 20,    // the largest gap that is probed to join two ranges
};

_Thread_local uint64_t ms_stack_remembered;

static _Atomic uint64_t probes;

uint64_t ms_walk_memory_probes(void) {
  return atomic_load_explicit(&probes, memory_order_relaxed);
}

static uintptr_t page_of(uintptr_t address) { return address & ~(uintptr_t)(page_size - 1); }

// rt_sigprocmask copies its set before it validates `how`: EFAULT means that the word is not readable, EINVAL (an
// invalid `how`) that the word is readable. The mask does not change in either case.
bool ms_is_readable(uintptr_t address) {
  // Address 0 would mean a null set; the first page is never mapped.
  if (address < page_size) return false;
#if defined(__aarch64__)
  register long result __asm__("x0") = -1;
  register uintptr_t set __asm__("x1") = address;
  register long old_set __asm__("x2") = 0;
  register long set_size __asm__("x3") = 8;
  register long call __asm__("x8") = SYS_rt_sigprocmask;
  __asm__ volatile("svc #0" : "+r"(result) : "r"(set), "r"(old_set), "r"(set_size), "r"(call) : "memory");
#else
  register long set_size __asm__("r10") = 8;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((long)SYS_rt_sigprocmask), "D"(-1L), "S"(address), "d"(0L), "r"(set_size)
                   : "rcx", "r11", "memory");
#endif
  atomic_fetch_add_explicit(&probes, 1, memory_order_relaxed);
  return result != -EFAULT;
}

static bool grow_up(ms_stack *stack, uintptr_t end) {
  while (stack->high < end) {
    if (!ms_is_readable(stack->high)) return false;
    stack->high += page_size;
  }
  return true;
}

static bool grow_down(ms_stack *stack, uintptr_t start) {
  while (stack->low > start) {
    if (!ms_is_readable(stack->low - page_size)) return false;
    stack->low -= page_size;
  }
  return true;
}

ms_stack ms_stack_around(uintptr_t sp) {
  if (sp < ms_lowest_stack) return (ms_stack){ms_lowest_stack, ms_lowest_stack, false};
  ms_stack stack = {page_of(sp), page_of(sp), false};
  if (grow_up(&stack, page_of(sp) + page_size)) grow_down(&stack, page_of(sp - ms_red_zone));
  return stack;
}

ms_stack ms_stack_learn(uintptr_t sp) {
  ms_stack known = ms_stack_unpack(ms_stack_remembered);
  ms_stack stack = ms_stack_around(sp);
  if (stack.high <= known.low && known.low - stack.high <= farthest_join) {
    if (grow_up(&stack, known.low)) stack.high = known.high;
  } else if (known.high <= stack.low && stack.low - known.high <= farthest_join) {
    if (grow_down(&stack, known.high)) stack.low = known.low;
  }
  return stack;
}

void ms_stack_remember(const ms_stack *stack) {
  uint64_t pages = (stack->high - stack->low) / page_size;
  if (pages >> ms_stack_count_bits == 0) {
    ms_stack_remembered = (uint64_t)(stack->low / page_size) << ms_stack_count_bits | pages;
  }
}

bool ms_stack_reach(ms_stack *stack, uintptr_t address, uintptr_t size) {
  if (address < stack->low || address > UINTPTR_MAX - size) return false;
  if (address + size <= stack->high) return true;
  if (stack->fixed || address + size - stack->high > farthest_reach) return false;
  return grow_up(stack, address + size);
}

bool ms_stack_read(ms_stack *stack, uintptr_t address, uint64_t *value) {
  if (!ms_stack_reach(stack, address, sizeof *value)) return false;
  __builtin_memcpy(value, (const void *)address, sizeof *value);
  return true;
}

MS_WALKS_END
#else
uint64_t ms_walk_memory_probes(void) { return 0; }
#endif

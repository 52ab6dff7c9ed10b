// Allocates alternate stacks in slabs: mappings of many stacks.
//
// A mapping for each stack would cost some microseconds at the start and end of every thread. A guard page in a
// mapping of its own would use up one of the few mappings of a process (vm.max_map_count).

#include "stack_pool.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  slab_stacks = 16,
  most_slabs = 4096,
};

// Flags of a slab's state. The lower bits mark the stacks in use.
enum { IS_THERE = 1 << slab_stacks, IS_CHANGING = 2 << slab_stacks, ALL_TAKEN = IS_THERE - 1 };

typedef struct {
  _Atomic uint32_t state;
  uint8_t *memory;
} slab;

static slab slabs[most_slabs];
static _Atomic uint32_t slab_count;  // slabs from this index on were never used

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static size_t stride(void) { return page() + MS_ENOUGH_STACK; }

/// Installs a guard below each stack if the kernel supports guards without mappings (Linux 6.13). Otherwise only the
/// lowest stack gets a guard: an overflow then reaches the stacks of other threads first.
static void guard(uint8_t *memory) {
  enum { guard_install = 102 };  // MADV_GUARD_INSTALL
  for (size_t i = 0; i < slab_stacks; i++) {
    if (madvise(memory + i * stride(), page(), guard_install) == 0) continue;
    mprotect(memory, page(), PROT_NONE);
    return;
  }
}

static uint8_t *map_slab(void) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  size_t size = slab_stacks * stride();
  uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, size, MADV_NOHUGEPAGE);  // a single signal must not use two megabytes
  guard(memory);
  return memory;
}

/// Takes a free stack of this slab, and returns its number; 0 if the slab has no free stack.
static uint32_t take_from(uint32_t index) {
  uint32_t state = atomic_load(&slabs[index].state);
  while ((state & ~ALL_TAKEN) == IS_THERE && state != (IS_THERE | ALL_TAKEN)) {
    uint32_t place = (uint32_t)__builtin_ctz(~state);
    if (atomic_compare_exchange_weak(&slabs[index].state, &state, state | 1u << place)) {
      return index * slab_stacks + place + 1;
    }
  }
  return 0;
}

/// Maps a slab and takes its first stack; returns 0 if there is no memory or the slab is already mapped.
static uint32_t begin_slab(uint32_t index) {
  uint32_t nothing = 0;
  if (!atomic_compare_exchange_strong(&slabs[index].state, &nothing, IS_CHANGING)) return 0;
  slabs[index].memory = map_slab();
  atomic_store(&slabs[index].state, slabs[index].memory ? IS_THERE | 1 : 0);
  uint32_t count = atomic_load(&slab_count);
  while (count <= index && !atomic_compare_exchange_weak(&slab_count, &count, index + 1)) continue;
  return slabs[index].memory ? index * slab_stacks + 1 : 0;
}

uint32_t ms_stack_take(void) {
  uint32_t number = 0, count = atomic_load(&slab_count);
  for (uint32_t i = 0; i < count && !number; i++) number = take_from(i);
  for (uint32_t i = 0; i < most_slabs && !number; i++) {
    if (atomic_load(&slabs[i].state) != 0) continue;
    number = begin_slab(i);
    if (!number && atomic_load(&slabs[i].state) == 0) break;  // no memory
  }
  return number;
}

stack_t ms_stack_of(uint32_t number) {
  uint32_t index = number - 1;
  uint8_t *start = slabs[index / slab_stacks].memory + index % slab_stacks * stride();
  return (stack_t){.ss_sp = start + page(), .ss_size = MS_ENOUGH_STACK};
}

static bool is_another_empty(uint32_t index) {
  uint32_t count = atomic_load(&slab_count);
  for (uint32_t i = 0; i < count; i++) {
    if (i != index && atomic_load(&slabs[i].state) == IS_THERE) return true;
  }
  return false;
}

/// Returns a stack to its slab. One empty slab is kept for the next thread.
void ms_stack_give_back(uint32_t number) {
  uint32_t index = (number - 1) / slab_stacks, bit = 1u << (number - 1) % slab_stacks;
  uint32_t empty = IS_THERE;
  if (atomic_fetch_and(&slabs[index].state, ~bit) != (IS_THERE | bit)) return;
  if (!is_another_empty(index)) return;
  if (!atomic_compare_exchange_strong(&slabs[index].state, &empty, IS_CHANGING)) return;
  bool is_gone = munmap(slabs[index].memory, slab_stacks * stride()) == 0;
  atomic_store(&slabs[index].state, is_gone ? 0 : IS_THERE);
}

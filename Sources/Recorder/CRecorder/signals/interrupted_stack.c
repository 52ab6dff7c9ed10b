// Moves the kernel's signal frame from the alternate stack to the interrupted one.
//
// Our handler is installed with SA_ONSTACK so that it can record a stack overflow. A host's handler without that flag
// expects the thread's own stack, and may need more space than an alternate stack has. After the move, the alternate
// stack is empty: the next signal may use the whole stack, and a `longjmp` leaves no frame behind.

#include "interrupted_stack.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  page = 4096,
  room_below = 2 * page,  // space for our own frames, and for the first frames of the host's handler
};

/// Returns true if `address` is writable, by letting the kernel store the old signal mask there. The store grows a
/// main thread's stack as any other store does. Signal safety: safe.
static bool takes_stores(uintptr_t address) {
  return syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, (void *)(address & ~(uintptr_t)7), 8) == 0;
}

/// Returns true if the interrupted code already ran on the alternate stack. Signal safety: safe.
static bool is_on_alternate(const ucontext_t *context, uintptr_t sp) {
  return sp - (uintptr_t)context->uc_stack.ss_sp < context->uc_stack.ss_size;
}

/// Returns true if all pages from `low` to `high` are writable. The range is below the stack pointer of the
/// interrupted code, so its contents are dead. Signal safety: safe.
static bool has_room(uintptr_t low, uintptr_t high) {
  for (uintptr_t at = low; at < high; at += page) {
    if (!takes_stores(at)) return false;
  }
  return takes_stores(high - 8);
}

#if defined(__x86_64__)

enum {
  red_zone = 128,
  kernel_context = 304,  // the kernel's ucontext, which is smaller than the C library's
  kernel_info = 128,
  vector_alignment = 64,
  legacy_vectors = 512,
};

/// Returns the size of the saved vector registers. Signal safety: safe.
static size_t size_of_vectors(const void *vectors) {
  enum { magic_offset = 464, first_magic = 0x46505853 };  // FP_XSTATE_MAGIC1
  uint32_t words[2];  // magic, size
  memcpy(words, (const uint8_t *)vectors + magic_offset, sizeof words);
  return words[0] == first_magic && words[1] > legacy_vectors ? words[1] : legacy_vectors;
}

ms_moved_frame ms_move_frame(siginfo_t *info, void *context) {
  ms_moved_frame none = {0};
  uint8_t *old = (uint8_t *)context - sizeof(void *);  // the frame begins with the return address
  if ((uint8_t *)info != (uint8_t *)context + kernel_context) return none;
  const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  size_t size = sizeof(void *) + kernel_context + kernel_info;
  size_t vectors = machine->fpregs ? size_of_vectors(machine->fpregs) : 0;
  uintptr_t sp = (uintptr_t)machine->gregs[REG_RSP], high = sp - red_zone;
  uintptr_t vectors_at = (high - vectors) & ~(uintptr_t)(vector_alignment - 1);
  uintptr_t frame = ((vectors_at - size) & ~(uintptr_t)15) - sizeof(void *);
  if (is_on_alternate(context, sp) || high > sp || frame > high || !has_room(frame - room_below, high)) return none;
  memcpy((void *)frame, old, size);
  ucontext_t *moved = (ucontext_t *)(frame + sizeof(void *));
  if (vectors) {
    memcpy((void *)vectors_at, machine->fpregs, vectors);
    moved->uc_mcontext.fpregs = (void *)vectors_at;
  }
  return (ms_moved_frame){frame, 0, (siginfo_t *)((uint8_t *)moved + kernel_context), moved};
}

#elif defined(__aarch64__)

/// Returns true if the frame has an extra-context record, whose address the kernel compares with the frame's address.
/// Signal safety: safe.
static bool has_extra_records(const mcontext_t *machine) {
  enum { extra_magic = 0x45585401, shortest = 8 };
  const uint8_t *records = (const uint8_t *)machine->__reserved;
  for (size_t at = 0; at + shortest <= sizeof machine->__reserved;) {
    uint32_t head[2];  // magic, size
    memcpy(head, records + at, sizeof head);
    if (head[0] == extra_magic) return true;
    if (head[0] == 0 || head[1] < shortest) return false;
    at += head[1];
  }
  return false;
}

ms_moved_frame ms_move_frame(siginfo_t *info, void *context) {
  ms_moved_frame none = {0};
  size_t info_size = sizeof(siginfo_t), size = info_size + sizeof(ucontext_t);
  if ((uint8_t *)context != (uint8_t *)info + info_size) return none;
  const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
  if (has_extra_records(machine)) return none;
  uintptr_t high = (uintptr_t)machine->sp;
  uintptr_t record[2] = {(uintptr_t)machine->regs[29], (uintptr_t)machine->regs[30]};
  uintptr_t record_at = (high - sizeof record) & ~(uintptr_t)15;
  uintptr_t frame = (record_at - size) & ~(uintptr_t)15;
  if (is_on_alternate(context, high) || frame > high || !has_room(frame - room_below, high)) return none;
  memcpy((void *)record_at, record, sizeof record);
  memcpy((void *)frame, info, size);
  return (ms_moved_frame){frame, record_at, (siginfo_t *)frame, (void *)(frame + info_size)};
}

#else
#error "The layout of signal frames is not known for this architecture."
#endif

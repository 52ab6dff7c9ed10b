// Walks the stack of another thread that waits in a system call. The kernel reports the pc and the sp of that thread,
// but not its frame pointer.

#include <string.h>
#include <ucontext.h>

#include "ms_address.h"
#include "ms_walk.h"
#include "engine.h"

#if MS_HAS_RULES && defined(__x86_64__)
#include "eh_frame.h"
#include "stepper.h"

MS_WALKS_BEGIN

/// Returns true if the bytes before `address` encode a call instruction: direct, or through a register or memory.
static bool follows_call(uintptr_t address) {
  enum { longest = 7, direct = 0xE8, group = 0xFF, direct_size = 5 };
  static const uint8_t sizes[] = {2, 3, 4, 6, 7};
  uint8_t code[longest];
  if (!ms_is_readable(address - longest) || !ms_is_readable(address)) return false;
  memcpy(code, (const void *)(address - longest), longest);
  if (code[longest - direct_size] == direct) return true;
  for (unsigned i = 0; i < sizeof sizes; i++) {
    const uint8_t *call = code + longest - sizes[i];
    if (call[0] == group && (call[1] >> 3 & 7) == 2) return true;
  }
  return false;
}

/// Returns the distance from the frame pointer down to the sp after this function's prologue; 0 if the prologue has
/// another form. The result is wrong for a function that later allocates a variable amount of stack, so the caller
/// verifies it.
static uint64_t frame_size(uintptr_t function) {
  enum { push_rbp = 0x55, first_push = 0x50, last_push = 0x57, high_register = 0x41, longest = 48, most = 16 };
  static const uint8_t mark[] = {0xF3, 0x0F, 0x1E, 0xFA}, set_rbp[] = {0x48, 0x89, 0xE5};
  static const uint8_t small_room[] = {0x48, 0x83, 0xEC}, large_room[] = {0x48, 0x81, 0xEC};
  uint8_t code[longest];
  uint64_t size = 0;
  uint32_t room;
  if (!ms_is_readable(function) || !ms_is_readable(function + longest - 1)) return 0;
  memcpy(code, (const void *)function, longest);
  const uint8_t *at = code;
  if (memcmp(at, mark, sizeof mark) == 0) at += sizeof mark;
  if (*at++ != push_rbp || memcmp(at, set_rbp, sizeof set_rbp) != 0) return 0;
  at += sizeof set_rbp;
  for (int i = 0; i < most; i++) {
    const uint8_t *push = at + (*at == high_register);
    if (*push < first_push || *push > last_push) break;
    at = push + 1;
    size += 8;
  }
  if (memcmp(at, small_room, sizeof small_room) == 0) return size + at[sizeof small_room];
  if (memcmp(at, large_room, sizeof large_room) != 0) return size;
  memcpy(&room, at + sizeof large_room, sizeof room);
  return size + room;
}

/// Returns the frame pointer of the function in the frame with this return address and sp; 0 if unknown.
static uint64_t frame_pointer_in(uint64_t address, uint64_t sp, ms_stack *stack) {
  uintptr_t function = ms_function_start(address - 1);
  uint64_t size = function ? frame_size(function) : 0, saved, caller;
  uint64_t pointer = sp + size;
  if (size == 0 || !ms_stack_read(stack, pointer, &saved) || !ms_stack_read(stack, pointer + 8, &caller)) return 0;
  return follows_call(caller) ? pointer : 0;
}

/// Finds the value of the waiting thread's frame pointer register, if a caller's unwind rule needs the value. The
/// waiting functions of the C library have no frame pointer of their own, and some save the caller's. Returns false
/// if the value is needed and cannot be found.
static bool find_frame_pointer(uintptr_t pc, uintptr_t sp, uint64_t *pointer) {
  enum { most = 16 };
  ms_registers registers = {.known = 0, .exact = true};
  ms_stack stack = ms_stack_around(sp);
  ms_registers_set(&registers, ms_pc, pc);
  ms_registers_set(&registers, ms_sp, sp);
  *pointer = 0;
  for (int i = 0; i < most; i++) {
    ms_row row;
    bool permanent;
    if (ms_row_find(registers.value[ms_pc] - !registers.exact, &row, &permanent) != MS_COVERED) return false;
    ms_step_result result = ms_step(&registers, &stack);
    if (result == MS_STEP_OUTERMOST || (result == MS_STEPPED && ms_registers_know(&registers, ms_fp))) return true;
    if (result == MS_STEPPED) continue;
    if (result != MS_STEP_NO_RULE || registers.exact) return false;
    *pointer = frame_pointer_in(registers.value[ms_pc], registers.value[ms_sp], &stack);
    return *pointer != 0;
  }
  return false;
}

uint32_t ms_walk_blocked(uintptr_t pc, uintptr_t sp, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  uint64_t pointer;
  ucontext_t context;
  *end = MS_WALK_UNAVAILABLE;
  if (ms_uses_libunwind() || !find_frame_pointer(pc, sp, &pointer)) return 0;
  memset(&context, 0, sizeof context);
  context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
  context.uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
  context.uc_mcontext.gregs[REG_RBP] = (greg_t)pointer;
  return ms_walk_context(&context, frames, capacity, end);
}

MS_WALKS_END
#else

uint32_t ms_walk_blocked(uintptr_t pc, uintptr_t sp, uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  (void)pc, (void)sp, (void)frames, (void)capacity;
  *end = MS_WALK_UNAVAILABLE;
  return 0;
}
#endif

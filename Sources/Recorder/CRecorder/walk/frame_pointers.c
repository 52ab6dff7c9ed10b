#include "async.h"
#include "ms_return_address.h"

#include <ucontext.h>

MS_WALKS_BEGIN

typedef struct {
  uintptr_t pc;
  uintptr_t sp;
  uintptr_t frame;
} place;

static place place_of(const ucontext_t *context) {
#if defined(__x86_64__)
  const greg_t *registers = context->uc_mcontext.gregs;
  return (place){(uintptr_t)registers[REG_RIP], (uintptr_t)registers[REG_RSP],
                 (uintptr_t)registers[REG_RBP]};
#elif defined(__aarch64__)
  enum { frame_register = 29 };
  const mcontext_t *registers = &context->uc_mcontext;
  return (place){registers->pc, registers->sp, registers->regs[frame_register]};
#else
#error "The frame pointer of this architecture is not known."
#endif
}

uint32_t ms_walk_frame_pointers(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end) {
  // A frame record: the caller's frame pointer, then the return address.
  enum { word = sizeof(uintptr_t), record = 2 * word };
  place at = place_of(context);
  uintptr_t lowest = at.sp > stack_low ? at.sp : stack_low;
  uint32_t count = 0;
  uintptr_t waiting = 0;  // the context of the innermost async function of the walk; 0 if none
  *end = MS_WALK_COMPLETE;
  while (at.pc != 0 || count == 0) {
    if (count == capacity) {
      *end = MS_WALK_LIMIT;
      break;
    }
    frames[count++] = at.pc;
    if (at.frame == 0) break;
    bool inside = at.frame >= lowest && stack_high - stack_low >= record
        && at.frame <= stack_high - record && at.frame % word == 0;
    if (!inside) {
      *end = MS_WALK_BAD_STACK;
      break;
    }
    const uintptr_t *saved = (const uintptr_t *)at.frame;
    uintptr_t caller = ms_without_signature(saved[1]);
    bool is_async = ms_is_task_return(caller) && at.frame - lowest >= word;
    if (is_async && waiting == 0) waiting = saved[-1];
    lowest = at.frame + record;
    at.frame = saved[0];
    at.pc = caller;
  }
  if (waiting == 0 || count == capacity) return count;
  return count + ms_async_callers(waiting, MS_ASK_ALWAYS, frames + count, capacity - count, end);
}

MS_WALKS_END

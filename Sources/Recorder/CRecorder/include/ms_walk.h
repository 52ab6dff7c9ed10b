// Walks a stack and writes the return address of each frame. docs/internals/stack-walk.md explains how.
#ifndef MAINSTAY_WALK_H
#define MAINSTAY_WALK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The reason why a walk ended.
typedef enum {
  MS_WALK_COMPLETE = 0,     ///< the outermost frame was reached
  MS_WALK_LIMIT = 1,        ///< the buffer is full
  MS_WALK_NO_RULE = 2,      ///< no unwind rule locates the caller of the last frame
  MS_WALK_BAD_STACK = 3,    ///< the next frame would be outside the stack
  MS_WALK_UNAVAILABLE = 4,  ///< this unwinder does not support the kind of walk
  MS_WALK_BAD_CALLERS = 5,  ///< the chain of async callers is broken
} ms_walk_end;

/// Marks the resume address of an async function that awaits the previous function in the list: the start of a
/// partial function, not a return address. No code address has this bit.
#define MS_ASYNC_CALLER (UINT64_C(1) << 63)

/// The unwinder.
typedef enum {
  MS_WALK_LIBUNWIND = 0,
  MS_WALK_RULES = 1,  ///< our unwind rules and their cache
} ms_walk_engine;

/// Writes the return addresses of this thread's frames, innermost first, beginning with the caller of `ms_walk_here`,
/// without the first `skip`. In a task, the async callers follow, each with `MS_ASYNC_CALLER`. Returns the number of
/// written addresses.
///
/// Signal safety: safe with the engine `MS_WALK_RULES`: no lock, no allocation, and a system call only for each page
/// of stack that this thread has not walked before.
uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end);

/// Walks from a signal's context (`const ucontext_t *`). The first frame is the address of the interrupted
/// instruction; the others are return addresses, except for a frame below a signal trampoline, which is another
/// interrupted instruction, and for async callers.
///
/// Signal safety: safe with the engine `MS_WALK_RULES`. Each page of stack is checked by a system call before it is
/// read, so that no invalid context causes a fault. Needs 6 KiB of stack, 8 KiB on arm64.
uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end);

/// Walks like `ms_walk_context`, but reads no stack outside of `stack_low..<stack_high`. The end is
/// `MS_WALK_UNAVAILABLE` if the engine is libunwind, which does not support bounds.
///
/// Signal safety: safe.
uint32_t ms_walk_context_within(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Follows only the chain of frame pointers, as a last resort: reads no unwind information, and no memory outside of
/// `stack_low..<stack_high`. Functions without a frame pointer are missing from the result.
///
/// Signal safety: safe.
uint32_t ms_walk_frame_pointers(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Prepares the engine, so that later walks are fast. Before this call, walks are as exact but do not cache rules.
/// `MAINSTAY_WALK=libunwind` in the environment forces libunwind.
///
/// Signal safety: not safe.
void ms_walk_start(void);

/// Learns the calls by which the runtime runs tasks, from the calling async function, which must be the current
/// function of its task. Walks then continue with the async callers of all tasks that are run by these calls. Returns
/// false if nothing could be learned.
///
/// Signal safety: not safe.
bool ms_walk_learn_task(void);

/// Learns the calls as `ms_walk_learn_task` does, from anywhere in a task, if the address and size of the runtime's
/// function that runs tasks are known.
///
/// Signal safety: safe.
bool ms_walk_learn_task_below(uintptr_t function, uint64_t size);

/// Makes `ms_walk_context` learn the calls as `ms_walk_learn_task_below` does, from the first task that a signal
/// interrupts. For programs in which no task of ours runs.
///
/// Signal safety: not safe.
void ms_walk_learn_tasks_later(uintptr_t function, uint64_t size);

/// A waiting function: its frame pointer, and an address in its code while it has that frame pointer. Only arm64
/// needs the address, because there a frame pointer does not determine the end of the frame.
typedef struct {
  uintptr_t frame;
  uintptr_t code;
} ms_waiting_frame;

/// Walks the stack of another thread that waits in this function and does not continue; the first frame is the
/// function's return address. The end is `MS_WALK_UNAVAILABLE`, after one frame, if the engine is libunwind.
///
/// Signal safety: safe.
uint32_t ms_walk_waiting(ms_waiting_frame waiting, uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Walks the stack of another thread that waits in a system call and does not continue, from its registers in
/// `/proc/self/task/…/syscall`. The first frame is the instruction after the call. The end is `MS_WALK_UNAVAILABLE`,
/// without frames, if a frame pointer is needed but unknown: on arm64 always.
///
/// Signal safety: safe.
uint32_t ms_walk_blocked(uintptr_t pc, uintptr_t sp, uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Learns the calls as `ms_walk_learn_task_below` does, from the task of a waiting thread.
///
/// Signal safety: safe.
bool ms_walk_learn_task_waiting(ms_waiting_frame waiting, uintptr_t function, uint64_t size);

/// Returns the engine in use.
///
/// Signal safety: safe.
ms_walk_engine ms_walk_engine_in_use(void);

/// Returns the reason for the choice of the engine: a short phrase for `show --verbose`.
///
/// Signal safety: safe.
const char *ms_walk_engine_reason(void);

/// Walks like `ms_walk_here`, but always by libunwind, to compare the results.
///
/// Signal safety: not safe. Allocates, and takes the loader's lock.
uint32_t ms_libunwind_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end);

/// Walks like `ms_walk_context`, but always by libunwind.
///
/// Signal safety: not safe. May deadlock on the loader's lock, and may fault.
uint32_t ms_libunwind_context(const void *context, uintptr_t *frames, uint32_t capacity,
                              ms_walk_end *end);

/// Returns true if the code at `address` was loaded with the program and is never unmapped; false if unknown.
///
/// Signal safety: safe.
bool ms_walk_code_stays(uintptr_t address);

/// Empties the cache of rules, for tests and measurements.
///
/// Signal safety: safe, also while other threads walk.
void ms_walk_forget_rules(void);

/// Returns the number of cached rules.
///
/// Signal safety: safe.
uint32_t ms_walk_remembered_rules(void);

/// Returns how often this process checked by a system call whether a page is readable.
///
/// Signal safety: safe.
uint64_t ms_walk_memory_probes(void);

#ifdef __cplusplus
}
#endif

#endif

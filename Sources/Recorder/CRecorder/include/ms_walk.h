// Walks a stack and writes down where each frame was called from. docs/internals/stack-walk.md explains how.
#ifndef MAINSTAY_WALK_H
#define MAINSTAY_WALK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a walk ended.
typedef enum {
  MS_WALK_COMPLETE = 0,     ///< the outermost frame was reached
  MS_WALK_LIMIT = 1,        ///< the room was used up
  MS_WALK_NO_RULE = 2,      ///< nothing says where the last frame's caller is
  MS_WALK_BAD_STACK = 3,    ///< the next frame would lie outside the stack
  MS_WALK_UNAVAILABLE = 4,  ///< this engine does not do what was asked
  MS_WALK_BAD_CALLERS = 5,  ///< what the next async caller should have left is not there
} ms_walk_end;

/// Marks the resume address of an async function that awaits the one before it: the beginning of a partial function,
/// not a return address. No code address has this bit.
#define MS_ASYNC_CALLER (UINT64_C(1) << 63)

/// The engine that walks.
typedef enum {
  MS_WALK_LIBUNWIND = 0,
  MS_WALK_RULES = 1,  ///< our table of unwind rules
} ms_walk_engine;

/// Writes the return addresses of the calls this thread is in, innermost first, beginning with
/// the caller of `ms_walk_here`, leaving out the first `skip`. In a task they are followed by the
/// async callers, each with `MS_ASYNC_CALLER`. Returns how many were written.
///
/// Signal safety: safe with the engine `MS_WALK_RULES`: no lock, no allocation, and a system call
/// only for each page of stack this thread has not walked before.
uint32_t ms_walk_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end);

/// Walks from a signal's context (`const ucontext_t *`): the first frame is the address of the
/// interrupted instruction itself, all others are return addresses, but for the one that follows
/// a signal's trampoline, which is another interrupted instruction, and for async callers.
///
/// Signal safety: safe with the engine `MS_WALK_RULES`. The kernel is asked about each page of
/// stack before it is read, so that no context, however broken, makes it fault. Needs 6 KiB of its
/// own stack, 8 KiB on arm64.
uint32_t ms_walk_context(const void *context, uintptr_t *frames, uint32_t capacity,
                         ms_walk_end *end);

/// As `ms_walk_context`, and reads no stack outside of `stack_low..<stack_high`. Its end is
/// `MS_WALK_UNAVAILABLE` where the engine is libunwind, which knows no bounds.
///
/// Signal safety: safe.
uint32_t ms_walk_context_within(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Follows nothing but the chain of frame pointers, for a last attempt: no unwind information is
/// read, and no memory outside of `stack_low..<stack_high`. Frames without one are left out.
///
/// Signal safety: safe.
uint32_t ms_walk_frame_pointers(const void *context, uintptr_t stack_low, uintptr_t stack_high,
                                uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// Prepares the engine, so that later walks do as little as they can. Until it has been called,
/// walks are as exact but look up each rule again. `MAINSTAY_WALK=libunwind` in the environment
/// forces libunwind.
///
/// Signal safety: not safe.
void ms_walk_start(void);

/// Learns the places from which the runtime runs tasks, from the calling async function, which must be the current
/// function of its task. Walks then continue with the async callers of all tasks that run from these places. False if
/// the places could not be learned.
///
bool ms_walk_learn_task(void);

/// The same from anywhere in a task, where the runtime's function that runs tasks is known.
///
/// Signal safety: safe.
bool ms_walk_learn_task_below(uintptr_t function, uint64_t size);

/// A waiting function: its frame pointer, and an address in its code while it has that frame pointer. Only arm64
/// needs the address, because there a frame pointer does not determine the end of the frame.
typedef struct {
  uintptr_t frame;
  uintptr_t code;
} ms_waiting_frame;

/// The stack of another thread that waits in this function and stays there; the first frame is the function's return
/// address. The end is `MS_WALK_UNAVAILABLE`, after one frame, if the engine is libunwind.
///
uint32_t ms_walk_waiting(ms_waiting_frame waiting, uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// The stack of another thread that waits in a system call and stays there, from its registers in
/// `/proc/self/task/…/syscall`. The first frame is the instruction after the call. The end is `MS_WALK_UNAVAILABLE`,
/// without frames, if a frame pointer is needed but unknown: on arm64 always.
///
uint32_t ms_walk_blocked(uintptr_t pc, uintptr_t sp, uintptr_t *frames, uint32_t capacity, ms_walk_end *end);

/// `ms_walk_learn_task_below`, from the task of such a thread.
///
/// Signal safety: safe.
bool ms_walk_learn_task_waiting(ms_waiting_frame waiting, uintptr_t function, uint64_t size);

/// The engine in use.
///
/// Signal safety: safe.
ms_walk_engine ms_walk_engine_in_use(void);

/// The reason for the value of `ms_walk_engine_in_use`: a short phrase for `show --verbose`.
///
/// Signal safety: safe.
const char *ms_walk_engine_reason(void);

/// As `ms_walk_here`, by libunwind whatever the engine: the second opinion.
///
/// Signal safety: not safe. Allocates, and takes the loader's lock.
uint32_t ms_libunwind_here(uintptr_t *frames, uint32_t capacity, uint32_t skip, ms_walk_end *end);

/// As `ms_walk_context`, by libunwind whatever the engine.
///
/// Signal safety: not safe. May wait for the loader's lock for ever, and may fault.
uint32_t ms_libunwind_context(const void *context, uintptr_t *frames, uint32_t capacity,
                              ms_walk_end *end);

/// Whether the code at `address` was loaded with the program and is never unmapped. False if
/// that is not known.
///
/// Signal safety: safe.
bool ms_walk_code_stays(uintptr_t address);

/// Empties the table of rules; walks fill it again. For tests and measurements.
///
/// Signal safety: safe, also while others walk.
void ms_walk_forget_rules(void);

/// How many rules the table holds.
///
/// Signal safety: safe.
uint32_t ms_walk_remembered_rules(void);

/// How many times this process asked the kernel whether a page can be read: our only system call.
///
/// Signal safety: safe.
uint64_t ms_walk_memory_probes(void);

#ifdef __cplusplus
}
#endif

#endif

// Two overlapping calls, one of which is stopped at an instruction while the other runs.
#ifndef MAINSTAY_CINTERLEAVING_H
#define MAINSTAY_CINTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two calls on two threads. The first call is stopped once.
typedef struct ms_interleaving ms_interleaving;

/// True if calls can be stopped on this machine and in this build.
bool ms_can_interleave(void);

/// The kernel id of the calling thread.
///
/// Signal safety: safe.
int32_t ms_own_thread(void);

/// True if the thread sleeps until an event occurs. A thread that waits for a processor does not
/// sleep.
///
/// Signal safety: safe.
bool ms_thread_waits(int32_t thread);

/// True if no thread of this process except the caller is running or runnable, so that no thread
/// can trigger an awaited event.
///
/// Signal safety: not safe.
bool ms_process_rests(void);

/// Creates a pair of calls. The first call stops after `instructions` instructions. If
/// `own_instructions` is not 0, the first call stops already before that instruction of the
/// program's own code, counted from 1. If `instructions` is 0, the first call stops after
/// `nanoseconds`.
///
/// Each counted instruction raises a SIGTRAP on the thread of the first call.
///
/// Signal safety: none; it allocates.
ms_interleaving *ms_interleaving_create(uint32_t instructions, uint32_t own_instructions,
                                        uint32_t nanoseconds);

/// Frees a pair whose calls have both ended.
///
/// Signal safety: none.
void ms_interleaving_destroy(ms_interleaving *calls);

/// The number of instructions counted in the first call, valid after both calls have ended.
///
/// Signal safety: none.
uint32_t ms_interleaving_counted(const ms_interleaving *calls);

/// The number of counted instructions of the program's own code, valid after both calls have ended.
///
/// Signal safety: none.
uint32_t ms_interleaving_own_counted(const ms_interleaving *calls);

/// Must be called immediately before the first call.
///
/// Signal safety: none.
void ms_interleaving_begin_first(ms_interleaving *calls);

/// Must be called immediately after the first call.
///
/// Signal safety: none.
void ms_interleaving_end_first(ms_interleaving *calls);

/// Must be called immediately before the second call. Waits until the first call is stopped, has
/// ended, or is blocked.
///
/// Signal safety: none.
void ms_interleaving_begin_second(ms_interleaving *calls);

/// Must be called before work of this library inside a call. The instructions of such work are not
/// counted, and the call is not stopped there. The result must be passed to
/// `ms_interleaving_go_on`.
///
/// Signal safety: safe.
bool ms_interleaving_pause(void);

/// Must be called after work of this library inside a call.
///
/// Signal safety: safe.
void ms_interleaving_go_on(bool paused);

/// Must be called immediately after the second call. The first call then continues.
///
/// Signal safety: none.
void ms_interleaving_end_second(ms_interleaving *calls);

#ifdef __cplusplus
}
#endif
#endif

// Two calls that overlap, with one of them stopped somewhere inside while the other runs.
#ifndef MAINSTAY_CINTERLEAVING_H
#define MAINSTAY_CINTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two calls on two threads, of which the first is stopped inside, once.
typedef struct ms_interleaving ms_interleaving;

/// Whether a call can be stopped inside on this machine, and in this build.
bool ms_can_interleave(void);

/// The calling thread, as the kernel counts them.
///
/// Signal safety: safe.
int32_t ms_own_thread(void);

/// True if a thread sleeps because the event that it waits for has not occurred. A thread that waits for a processor
/// does not sleep.
///
/// Signal safety: safe.
bool ms_thread_waits(int32_t thread);

/// True if no thread of this process except the caller runs or is ready to run: then an awaited event does not occur
/// by itself.
///
/// Signal safety: not safe.
bool ms_process_rests(void);

/// Prepares two calls. The first one stops after `instructions` instructions, or before the last of
/// `own_instructions` instructions of the program's own code if that comes earlier and is not 0. If `instructions` is
/// 0, it stops after `nanoseconds`.
///
/// Each instruction that is counted costs a signal, SIGTRAP, on the first call's thread.
///
/// Signal safety: none; it allocates.
ms_interleaving *ms_interleaving_create(uint32_t instructions, uint32_t own_instructions,
                                        uint32_t nanoseconds);

/// Forgets two calls that have both ended.
///
/// Signal safety: none.
void ms_interleaving_destroy(ms_interleaving *calls);

/// How many instructions of the first call were counted; to be asked when both have ended.
///
/// Signal safety: none.
uint32_t ms_interleaving_counted(const ms_interleaving *calls);

/// How many of those were the program's own, not a library's; to be asked when both have ended.
///
/// Signal safety: none.
uint32_t ms_interleaving_own_counted(const ms_interleaving *calls);

/// To be called right before the first call.
///
/// Signal safety: none.
void ms_interleaving_begin_first(ms_interleaving *calls);

/// To be called right after the first call.
///
/// Signal safety: none.
void ms_interleaving_end_first(ms_interleaving *calls);

/// To be called right before the second call: waits until the first stands still, has ended, or
/// waits for something itself.
///
/// Signal safety: none.
void ms_interleaving_begin_second(ms_interleaving *calls);

/// To be called before work that is ours and no part of the call it is done in: its instructions are not counted,
/// and the first call does not stand still there. The answer is for `ms_interleaving_go_on`.
///
/// Signal safety: safe.
bool ms_interleaving_pause(void);

/// To be called after such work.
///
/// Signal safety: safe.
void ms_interleaving_go_on(bool paused);

/// To be called right after the second call: the first goes on.
///
/// Signal safety: none.
void ms_interleaving_end_second(ms_interleaving *calls);

#ifdef __cplusplus
}
#endif
#endif

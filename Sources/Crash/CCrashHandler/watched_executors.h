// The executors that are watched, and the beats that they were asked for.
#ifndef MAINSTAY_WATCHED_EXECUTORS_H
#define MAINSTAY_WATCHED_EXECUTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CCrashHandler.h"
#include "crash.h"

enum { MS_WATCHED_MOST = 32, MS_WATCHED_NAME = 64 };

/// The facts of a watched executor: the watch works on a copy.
typedef struct {
  ms_watched_kind kind;
  uint8_t priority;  ///< of a pool
  char name[MS_WATCHED_NAME];
  uint64_t threshold;  ///< in nanoseconds; 0: it is not watched
  uint64_t generation;
  ms_watched_calls calls;
  void *context;
} ms_watched_facts;

/// The state shared with a beat. A beat of an ended watch may still arrive, so the state is never freed.
typedef struct {
  _Atomic uint64_t sent;  ///< the number of the last beat; a slot never uses one twice
  _Atomic uint64_t come;
  _Atomic uint64_t come_at;
  _Atomic uint32_t thread;     ///< where it ran
  _Atomic uint64_t blocked;    ///< the signals that this thread blocks
  _Atomic uintptr_t executor;  ///< the actor on which it ran; 0: on none
  _Atomic uintptr_t queue;     ///< the queue on which it ran
} ms_beats;

extern ms_beats ms_beats_of[MS_WATCHED_MOST];

/// A copy of the watched executor of a slot, retained until it has been looked at; false for an unused slot.
bool ms_watched_look(uint32_t slot, ms_watched_facts *facts);

/// Whether an executor of this kind is watched.
bool ms_watched_have(ms_watched_kind kind);
void ms_watched_looked(const ms_watched_facts *facts);

/// Asks for a beat.
void ms_watched_send(uint32_t slot, const ms_watched_facts *facts);

/// Has the main queue and the pools watched, each with this threshold; 0: not.
void ms_watched_always(uint64_t main_threshold, uint64_t pool_threshold, ms_pool_ask ask);

/// The time that does not go back, in nanoseconds.
static inline uint64_t ms_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// used_pools.c

#define MS_POOL_LABEL "Swift global concurrent queue"

/// Whether Dispatch has, or has had, threads for the pool of this priority.
bool ms_pool_is_used(uint8_t priority);

/// Whether a thread of this name may be one of that pool's.
bool ms_pool_may_have(uint8_t priority, const char *thread_name);

/// Forgets which pools are used.
void ms_pools_forget(void);

// thread_times.c

/// The activity of a thread that does not finish.
typedef enum { MS_DOES_UNKNOWN = 0, MS_DOES_BLOCKED, MS_DOES_BUSY, MS_DOES_STARVED } ms_doing;

/// Notes how long each thread has run until now, and has waited for a processor. `now`: by a clock that stands still while
/// the process is stopped, here and below.
void ms_thread_times_note(uint64_t now);
/// When that was; 0: never.
uint64_t ms_thread_times_noted(void);
/// The most frequent activity of the thread since then.
ms_doing ms_thread_doing(uint32_t thread, uint64_t now);

/// How long a thread had run when it was looked at first, and how often it had slept.
typedef struct {
  uint32_t thread;
  uint64_t ran, sleeps;
} ms_thread_mark;

/// How long it has run since the mark, if it has not slept since; else the mark is set here.
uint64_t ms_thread_ran_awake(uint32_t thread, ms_thread_mark *since);

/// How often a thread has slept. False if it is not known.
bool ms_thread_sleeps(uint32_t thread, uint64_t *sleeps);

/// The share of the last ten seconds in which at least one thread of the machine waited for a processor, in percent;
/// -1 if the kernel does not report it.
int ms_processor_pressure(void);

// blocked_thread.c

enum { MS_CALL_TEXT = 256 };

/// The system call that a thread waits in, as the kernel writes it: its number, six arguments, sp and pc. False if it is
/// not known; a thread that runs has a word in place of the number.
bool ms_thread_call(uint32_t thread, char text[MS_CALL_TEXT]);

/// The number of the call in such a text. False if the thread runs.
bool ms_call_number(const char *call, long *number);

/// Whether a call waits for events of descriptors.
bool ms_call_waits_for_events(long call);

/// The name of a thread. False if there is no such thread.
bool ms_thread_name_of(uint32_t thread, char name[16]);

/// Takes the stack and the name of a thread that waits in a system call which a signal would end. Returns false for
/// all other threads, and if the stack cannot be read as a whole; such a thread is asked. The sample has no task and
/// no queue.
bool ms_thread_look(uint32_t thread, ms_thread_sample *sample);

// hang_crumbs.c

/// A thread that holds an executor, and how.
typedef struct {
  uint32_t thread;
  ms_doing doing;
  bool is_sampled;
  ms_thread_sample sample;
} ms_hang_holder;

enum { MS_HOLDERS = 16, MS_LOCK_HOLDERS = 4 };

/// A thread that owns the lock which holders wait for.
typedef struct {
  ms_hang_holder holder;
  uint32_t waiter_count;
  uint32_t waiters[MS_HOLDERS];
} ms_lock_holder;

/// An executor that does not answer, and its holder.
typedef struct {
  uint64_t duration;  ///< in nanoseconds
  uint32_t left_out;  ///< hangs since the last crumb of one, for which there was none
  ms_doing doing;     ///< what keeps it from answering, as far as that is known
  uint32_t threads;   ///< how many hold it
  uint32_t count;     ///< how many of them are told
  ms_hang_holder holders[MS_HOLDERS];
  uint32_t lock_count;
  ms_lock_holder locks[MS_LOCK_HOLDERS];
} ms_hang;

/// The word for an executor: `main queue`, `pool`, `queue`, `actor`, `loop`.
const char *ms_watched_word(ms_watched_kind kind);
void ms_leave_hang(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang);
void ms_leave_hang_end(ms_log *log, const ms_watched_facts *facts, const char *message,
                       uint64_t duration);

/// How long beats took, in powers of two of a microsecond.
enum { MS_LATENCY_STEPS = 32 };
typedef struct {
  uint32_t beats;
  uint32_t took[MS_LATENCY_STEPS];
  uint64_t slowest;  ///< in nanoseconds
} ms_latency;

void ms_latency_add(ms_latency *latency, uint64_t took);
void ms_leave_latency(ms_log *log, const ms_watched_facts *facts, const ms_latency *latency, bool is_late);

// executor_holders.c

/// Sets the mark of the one thread that seems to hold an executor which is late.
void ms_mark_holder(uint32_t slot, const ms_watched_facts *facts, ms_thread_mark *mark);

/// Finds out who holds the executor of a slot that does not answer: for a pool all of its threads.
void ms_find_holders(uint32_t slot, const ms_watched_facts *facts, uint64_t now, ms_thread_mark *mark, ms_hang *hang);

/// Takes a thread that is known to block for the holder.
void ms_find_blocked(uint32_t thread, uint64_t now, ms_hang *hang);

// lock_owner.c

/// Learns how the C library's mutexes tell their owners. To be called before the thread of the watch begins.
void ms_lock_owner_learn(void);

/// The thread that has the lock which another thread waits for, by its kernel id; 0 if that waits for none, or the owner is
/// not known. It may be the waiting thread itself.
uint32_t ms_lock_owner(uint32_t waiter);

// blocked_loops.c

typedef enum {
  MS_LOOP_SAME,
  MS_LOOP_BLOCKS,   ///< for longer than the threshold, and no hang is recorded
  MS_LOOP_ANSWERS,  ///< a recorded hang is over
  MS_LOOP_GONE,     ///< so is one, because the thread has ended
} ms_loop_change;

typedef struct {
  uint32_t thread;
  const char *name;
  uint64_t blocked;  ///< in nanoseconds
} ms_loop_facts;

/// How many threads have names of event loops; threads are listed anew while the process is active.
uint32_t ms_loops_count(uint64_t passed, bool is_active);

/// The change of a loop since the last look, `passed` nanoseconds ago.
ms_loop_change ms_loop_look(uint32_t index, uint64_t passed, uint64_t threshold, ms_loop_facts *facts);

/// Notes that the hang of a loop is recorded.
void ms_loop_hangs(uint32_t index, uint64_t now_ticks);

/// Notes that threads were asked for their stacks: a loop whose call was interrupted by that blocks on.
void ms_loops_were_asked(void);

/// The longest time for which a loop without a recorded hang has been in a call that waits for no events; 0 if none is.
uint64_t ms_loops_blocked(void);

/// The tick of the first recorded hang that is not over; 0 without such a hang.
uint64_t ms_loops_hang_since(void);

/// Ends one recorded hang without a look. False if no hang is recorded.
bool ms_loops_end_hang(ms_loop_facts *facts);

void ms_loops_forget(void);

#endif

// The watched executors, and the beats that are sent to them.
#ifndef MAINSTAY_WATCHED_EXECUTORS_H
#define MAINSTAY_WATCHED_EXECUTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CCrashHandler.h"
#include "crash.h"

enum { MS_WATCHED_MOST = 32, MS_WATCHED_NAME = 64 };

/// The facts of a watched executor. The watch works on a copy.
typedef struct {
  ms_watched_kind kind;
  uint8_t priority;  ///< the priority of a pool's tasks
  char name[MS_WATCHED_NAME];
  uint64_t threshold;  ///< the limit for an answer, in nanoseconds; 0: not watched
  uint64_t generation;
  ms_watched_calls calls;
  void *context;
} ms_watched_facts;

/// The state shared with a beat. A beat of an ended watch may still arrive, so the state is never freed.
typedef struct {
  _Atomic uint64_t sent;  ///< the number of the last beat, never reused within a slot
  _Atomic uint64_t come;
  _Atomic uint64_t come_at;
  _Atomic uint32_t thread;     ///< the thread that ran the last beat
  _Atomic uint64_t blocked;    ///< the signals that this thread blocks
  _Atomic uintptr_t executor;  ///< the executor of the actor that ran the beat; 0 without an actor
  _Atomic uintptr_t queue;     ///< the queue that ran the beat
} ms_beats;

extern ms_beats ms_beats_of[MS_WATCHED_MOST];

/// Copies and retains the executor of a slot; `ms_watched_looked` releases it. Returns false for an unused slot.
bool ms_watched_look(uint32_t slot, ms_watched_facts *facts);

/// True if an executor of this kind is watched.
bool ms_watched_have(ms_watched_kind kind);
void ms_watched_looked(const ms_watched_facts *facts);

/// Sends a beat to the executor of a slot.
void ms_watched_send(uint32_t slot, const ms_watched_facts *facts);

/// Watches the main queue and the pools. Thresholds are in nanoseconds; 0 disables a watch.
void ms_watched_always(uint64_t main_threshold, uint64_t pool_threshold, ms_pool_ask ask);

// used_pools.c

#define MS_POOL_LABEL "Swift global concurrent queue"

/// True if Dispatch has, or has had, threads for the pool of this priority.
bool ms_pool_is_used(uint8_t priority);

/// True if a thread of this name may belong to the pool of this priority.
bool ms_pool_may_have(uint8_t priority, const char *thread_name);

/// Forgets which pools are used.
void ms_pools_forget(void);

// thread_times.c

/// The reason why a thread does not finish.
typedef enum { MS_DOES_UNKNOWN = 0, MS_DOES_BLOCKED, MS_DOES_BUSY, MS_DOES_STARVED } ms_doing;

/// Takes a snapshot of the time that each thread has run and waited for a processor. `now`, here and below, is from a
/// clock that stands still while the process is stopped.
void ms_thread_times_note(uint64_t now);
/// The time of the last snapshot; 0 without a snapshot.
uint64_t ms_thread_times_noted(void);
/// The predominant activity of the thread since the snapshot.
ms_doing ms_thread_doing(uint32_t thread, uint64_t now);

/// True if the thread has slept since the snapshot, in one sleep.
bool ms_thread_has_slept(uint32_t thread);

/// The run time and the number of sleeps of a thread when it was first checked.
typedef struct {
  uint32_t thread;
  uint64_t ran, sleeps;
} ms_thread_mark;

/// The time that the thread has run since the mark. If the thread has slept meanwhile, sets the mark and returns 0.
uint64_t ms_thread_ran_awake(uint32_t thread, ms_thread_mark *since);

/// Reads the number of times that a thread has slept; returns false if the number is unknown.
bool ms_thread_sleeps(uint32_t thread, uint64_t *sleeps);

/// The share of the last ten seconds in which at least one thread of the machine waited for a processor, in percent;
/// -1 if the kernel does not report it.
int ms_processor_pressure(void);

// blocked_thread.c

enum { MS_CALL_TEXT = 256 };

/// Reads the system call in which a thread waits, in the kernel's text format: number, six arguments, sp and pc. A
/// running thread has a word in place of the number. Returns false if the text cannot be read.
bool ms_thread_call(uint32_t thread, char text[MS_CALL_TEXT]);

/// Parses the number of the system call; returns false if the thread runs.
bool ms_call_number(const char *call, long *number);

/// True if a call waits for events of descriptors.
bool ms_call_waits_for_events(long call);

/// Reads the name of a thread; returns false if the thread does not exist.
bool ms_thread_name_of(uint32_t thread, char name[16]);

/// True if the system call of a thread ends after a time or by an event, so that a signal would interrupt it.
bool ms_thread_wakes_itself(uint32_t thread);

/// Captures the stack and the name of a thread in a system call that a signal would interrupt. Returns false for all
/// other threads, and if the stack cannot be read completely; `ms_thread_ask` then samples the thread by a signal.
/// The sample has no task and no queue.
bool ms_thread_look(uint32_t thread, ms_thread_sample *sample);

// hang_crumbs.c

/// A thread that holds an executor, and its activity.
typedef struct {
  uint32_t thread;
  ms_doing doing;
  bool is_sampled;
  ms_thread_sample sample;
} ms_hang_holder;

enum { MS_HOLDERS = 16, MS_LOCK_HOLDERS = 4 };

/// The owner of a lock for which holders wait.
typedef struct {
  ms_hang_holder holder;
  uint32_t waiter_count;
  uint32_t waiters[MS_HOLDERS];
} ms_lock_holder;

/// A hang of an executor, and the executor's holders.
typedef struct {
  uint64_t duration;  ///< the duration so far, in nanoseconds
  uint32_t left_out;  ///< the number of unrecorded hangs since the last recorded hang
  ms_doing doing;     ///< the reason of the hang, if known
  uint32_t threads;   ///< the number of holders
  uint32_t count;     ///< the number of entries in `holders`
  ms_hang_holder holders[MS_HOLDERS];
  uint32_t lock_count;
  ms_lock_holder locks[MS_LOCK_HOLDERS];
} ms_hang;

/// The word for an executor: `main queue`, `pool`, `queue`, `actor`, `loop`.
const char *ms_watched_word(ms_watched_kind kind);
void ms_leave_hang(ms_log *log, const ms_watched_facts *facts, const ms_hang *hang);
void ms_leave_hang_end(ms_log *log, const ms_watched_facts *facts, const char *message,
                       uint64_t duration);
/// Writes the crumb of a thread that stands or computes.
///
/// - `owner`: the thread that owns the lock or runs the queue for which the thread waits; 0: unknown.
/// - `lasted`: the time since the snapshot, in nanoseconds.
/// - `total`: the number of such threads, in the first crumb of a list; else 0.
void ms_leave_standing(ms_log *log, const char *during, const ms_hang_holder *holder, uint32_t owner, uint64_t lasted,
                       uint32_t total);

/// A histogram of the beats' latencies, in powers of two of a microsecond.
enum { MS_LATENCY_STEPS = 32 };
typedef struct {
  uint32_t beats;
  uint32_t took[MS_LATENCY_STEPS];
  uint64_t slowest;  ///< the longest latency, in nanoseconds
} ms_latency;

void ms_latency_add(ms_latency *latency, uint64_t took);
void ms_leave_latency(ms_log *log, const ms_watched_facts *facts, const ms_latency *latency, bool is_late);

// executor_holders.c

/// Sets the mark of the thread that seems to hold a late executor, if only one thread can.
void ms_mark_holder(uint32_t slot, const ms_watched_facts *facts, ms_thread_mark *mark);

/// Finds the holders of an executor that does not answer: for a pool, all of its threads.
void ms_find_holders(uint32_t slot, const ms_watched_facts *facts, uint64_t now, ms_thread_mark *mark, ms_hang *hang);

/// Samples a thread, without a signal if possible. `wanted` is as in `ms_thread_sample`.
void ms_sample_thread(uint32_t thread, const void *wanted, ms_hang_holder *found);

/// Records a thread that is known to be blocked as the holder.
void ms_find_blocked(uint32_t thread, uint64_t now, ms_hang *hang);

// lock_owner.c

/// Learns where the C library's mutexes store their owners. Call this function before the watch thread starts.
void ms_lock_owner_learn(void);

/// The kernel id of the owner of the lock for which `waiter` waits; 0 if `waiter` waits for no lock or the owner is
/// unknown. The owner may be `waiter` itself.
uint32_t ms_lock_owner(uint32_t waiter);

// queue_owner.c

/// The kernel id of the thread that runs the queue for which `waiter` waits in a synchronous call; 0 if `waiter` makes
/// no such call, or if no thread runs the queue.
uint32_t ms_queue_owner(uint32_t waiter);

// standing_threads.c

/// Records the threads that have stood in one call, or have computed, since the snapshot of `ms_thread_times_note`.
/// `during` names the event that caused the listing.
void ms_leave_standing_threads(ms_log *log, const char *during, uint64_t now);

// requests_in_flight.c

/// The age of the oldest request in flight, in nanoseconds, as far as the checks have seen it; 0 without a request.
/// Call this function at each check, with the time since the last check.
uint64_t ms_requests_oldest(uint64_t passed);

// blocked_loops.c

typedef enum {
  MS_LOOP_SAME,
  MS_LOOP_BLOCKS,   ///< blocked for longer than the threshold, without a recorded hang
  MS_LOOP_ANSWERS,  ///< a recorded hang has ended
  MS_LOOP_GONE,     ///< a recorded hang has ended, because the thread has ended
} ms_loop_change;

typedef struct {
  uint32_t thread;
  const char *name;
  uint64_t blocked;  ///< the time in the blocking call, in nanoseconds
} ms_loop_facts;

/// The number of threads with the name of an event loop. Lists the threads anew while the process is active.
uint32_t ms_loops_count(uint64_t passed, bool is_active);

/// The change of a loop since the last check, `passed` nanoseconds ago.
ms_loop_change ms_loop_look(uint32_t index, uint64_t passed, uint64_t threshold, ms_loop_facts *facts);

/// Marks the hang of a loop as recorded.
void ms_loop_hangs(uint32_t index, uint64_t now_ticks);

/// Notes that threads were sampled by signals: a loop whose call was interrupted still counts as blocked.
void ms_loops_were_asked(void);

/// The longest time for which a loop without a recorded hang has been in a call that does not wait for events; 0 if
/// no loop is blocked.
uint64_t ms_loops_blocked(void);

/// The start of the oldest recorded hang that has not ended, in ticks; 0 without such a hang.
uint64_t ms_loops_hang_since(void);

/// Ends one recorded hang without a check; returns false if no hang is recorded.
bool ms_loops_end_hang(ms_loop_facts *facts);

void ms_loops_forget(void);

#endif

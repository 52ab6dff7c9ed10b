// Tracks the waiting tasks, with the event that each waits for and the start of its wait. docs/internals/async.md explains how.
#ifndef MAINSTAY_WAITING_H
#define MAINSTAY_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The event that a task waits for.
typedef enum {
  MS_WAITS_FOR_CONTINUATION = 0,
  MS_WAITS_FOR_TASK = 1,
  MS_WAITS_FOR_GROUP = 2,
  MS_WAITS_FOR_EXECUTOR = 3,  ///< its turn: on an actor, or on any thread
  MS_WAIT_KINDS = 4,
} ms_wait_kind;

// --- Noting where tasks begin to wait

enum { MS_WAITING_PLACES = 16384 };

/// A task that began to wait. Whether it still does is for `ms_wait_read` to say.
typedef struct {
  uintptr_t task;
  uint64_t task_id;
  uint64_t since_ns;  ///< of CLOCK_MONOTONIC, a few milliseconds exact
  bool is_again;      ///< it has waited in this place before
  uint64_t word;      ///< tells whether the place still holds this one
} ms_waiting_task;

/// Hooks the call by which the runtime reports that a task leaves its thread; false if no import table has that call,
/// as in a program with a static runtime. Records nothing until the layout is learned. Not signal-safe.
bool ms_waiting_begin(void);

/// Ends what `ms_waiting_begin` began, and forgets all. Not signal-safe.
void ms_waiting_end(void);

/// Starts tracking, if the runtime's layout could be learned; false if not. Not signal-safe.
bool ms_waiting_note(void);

/// Whether tasks are noted now. Signal safety of this and of all below: safe.
bool ms_waiting_is_noted(void);

/// The task at a place; false if the place is empty, or is being written.
bool ms_waiting_at(uint32_t place, ms_waiting_task *found);

/// Whether the place still holds it.
bool ms_waiting_is_at(uint32_t place, const ms_waiting_task *known);

/// Makes room for another one, unless the place holds another already.
void ms_waiting_forget(uint32_t place, const ms_waiting_task *known);

/// How many places are taken.
uint32_t ms_waiting_held(void);

/// How often a task found no room: whether it waits is not known.
uint64_t ms_waiting_missed(void);

// --- Reading what a task waits for

/// The wait of a task, as the runtime keeps it.
typedef struct {
  ms_wait_kind kind;
  uintptr_t subject;  ///< the continuation's context, the task, the group, the executor; 0: any thread
  uintptr_t resume;   ///< where it goes on, if that is not the beginning of `context`'s chain; else 0
  uintptr_t context;  ///< of the async callers
} ms_wait_facts;

/// The current wait of a noted task; false if it does not wait. Reads only readable memory.
bool ms_wait_read(const ms_waiting_task *noted, ms_wait_facts *facts);

/// Learns the offsets of these fields from a task that waits, on this thread, for an event of this kind. Call it for
/// a continuation first. `subject` is the awaited object, if known. After all kinds, each further call checks the
/// learned offsets, and discards them if they are wrong. Not signal-safe.
void ms_wait_learn(const void *task, ms_wait_kind kind, const void *subject);

/// Forgets the learned layout if it reports this running task as waiting. Not signal-safe.
void ms_wait_check_runs(const void *task);

#ifdef __cplusplus
}
#endif
#endif

// Tracks suspended tasks: the event that each waits for, and the start of the wait. docs/internals/async.md explains
// how.
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
  MS_WAITS_FOR_EXECUTOR = 3,  ///< its turn on an actor or on the global pool
  MS_WAIT_KINDS = 4,
} ms_wait_kind;

// --- Recording where tasks are suspended

enum { MS_WAITING_PLACES = 16384 };

/// A task that was suspended. `ms_wait_read` finds out whether the task still waits.
typedef struct {
  uintptr_t task;
  uint64_t task_id;
  uint64_t since_ns;  ///< CLOCK_MONOTONIC, with a resolution of a few milliseconds
  bool is_again;      ///< true if the task (probably) waited at this place in the code before
  uint64_t word;      ///< the owner word of the entry: the task's address with a version
} ms_waiting_task;

/// Hooks the call by which the runtime reports that a task leaves its thread; returns false if no import table has
/// that call, as in a program with a static runtime. Records nothing until the layout is learned. Not signal-safe.
bool ms_waiting_begin(void);

/// Undoes `ms_waiting_begin` and discards all entries. Not signal-safe.
void ms_waiting_end(void);

/// Starts tracking if the runtime's layout was learned; otherwise returns false. Not signal-safe.
bool ms_waiting_note(void);

/// Returns true if tasks are tracked now. Signal safety of this function and all below: safe.
bool ms_waiting_is_noted(void);

/// Reads the entry at index `place`; returns false if the entry is empty or is being written.
bool ms_waiting_at(uint32_t place, ms_waiting_task *found);

/// Returns true if the entry still holds `known`.
bool ms_waiting_is_at(uint32_t place, const ms_waiting_task *known);

/// Frees the entry, unless it already holds another task.
void ms_waiting_forget(uint32_t place, const ms_waiting_task *known);

/// Returns the number of entries in use.
uint32_t ms_waiting_held(void);

/// Returns how often a task found no free entry; such a task's wait is unknown.
uint64_t ms_waiting_missed(void);

// --- Reading the event that a task waits for

/// The wait of a task, as the runtime stores it.
typedef struct {
  ms_wait_kind kind;
  uintptr_t subject;  ///< the continuation's context, the task, the group or the executor; 0: the global pool
  uintptr_t resume;   ///< the resume address, if it is not the start of the chain at `context`; else 0
  uintptr_t context;  ///< the context of the async callers
} ms_wait_facts;

/// Reads the current wait of a tracked task; returns false if the task does not wait. Reads only readable memory.
bool ms_wait_read(const ms_waiting_task *noted, ms_wait_facts *facts);

/// Learns the offsets of the fields of `ms_wait_facts` from a task that waits, on this thread, for an event of this
/// kind. Call it for a continuation first. `subject` is the awaited object, if known. After all kinds, each further
/// call checks the learned offsets, and discards them if they are wrong. Not signal-safe.
void ms_wait_learn(const void *task, ms_wait_kind kind, const void *subject);

/// Discards the learned layout if it reports this running task as waiting. Not signal-safe.
void ms_wait_check_runs(const void *task);

#ifdef __cplusplus
}
#endif
#endif

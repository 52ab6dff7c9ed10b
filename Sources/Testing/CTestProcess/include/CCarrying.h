// Context carried with work that a test sends to queues, tasks and threads.
#ifndef MAINSTAY_CCARRYING_H
#define MAINSTAY_CCARRYING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The way in which work is sent.
typedef enum {
  MS_SENT_ONCE,     ///< the work runs once, as soon as possible
  MS_SENT_LATER,    ///< the work runs once, after a delay
  MS_SENT_JOB,      ///< a job of a task, enqueued by the runtime
  MS_SENT_AGAIN,    ///< the work runs each time that an event occurs
  MS_SENT_HERE,     ///< the work runs while the sender waits
  MS_SENT_OPAQUE,   ///< sent by a library whose calls do not reveal the original sender
} ms_sending;

/// Work that the Swift library holds, and must release exactly once.
typedef struct ms_held_work ms_held_work;

/// The callbacks of the Swift library for sent and running work.
typedef struct {
  /// Returns the context to carry; NULL for none. `delay` is in nanoseconds.
  void *(*take)(ms_sending sending, uint64_t delay);
  /// Runs work with its context.
  void (*run)(void *carried, void (*work)(void *), void *context);
  /// Releases a context that `take` returned.
  void (*drop)(void *carried);
  /// Returns true if the library holds the job, to release it later.
  bool (*hold)(void *carried, ms_held_work *work, bool is_on_main);
  /// Called after a task was created. `inherits` is true if the task inherits the task-local values
  /// of its creator.
  void (*created)(void *task, bool inherits);
} ms_carrier;

/// Sets the carrier; NULL for none.
///
/// Signal safety: none; the same applies to the functions below.
void ms_carry_by(const ms_carrier *carrier);

/// True if calls of the sending functions in this program are interposed.
bool ms_carries(void);

/// The context of the work that the calling thread runs; NULL for none.
void *ms_carried_here(void);

/// Sets the context of the calling thread and returns the previous one.
void *ms_set_carried_here(void *carried);

/// Releases held work: sends it to its queue.
void ms_let_go(ms_held_work *work);

/// Enqueues a job of a custom executor on a global queue, as the runtime enqueues jobs of its own
/// executor.
void ms_send_part(void *part, void (*run)(void *part));

/// The id of a task.
uint64_t ms_id_of_task(void *task);

#ifdef __cplusplus
}
#endif
#endif

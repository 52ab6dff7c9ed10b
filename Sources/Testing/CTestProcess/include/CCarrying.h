// Context carried with work that a test sends to queues, tasks and threads.
#ifndef MAINSTAY_CCARRYING_H
#define MAINSTAY_CCARRYING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How work is sent.
typedef enum {
  MS_SENT_ONCE,     ///< to run once, as soon as it can
  MS_SENT_LATER,    ///< to run once, after some time
  MS_SENT_JOB,      ///< a part of a task, by the runtime
  MS_SENT_AGAIN,    ///< to run each time that something happens
  MS_SENT_HERE,     ///< to run while the sender waits
  MS_SENT_OPAQUE,   ///< by a library, whose order of work says nothing of who wants it
} ms_sending;

/// Work that the library above holds back; it is to be let go once.
typedef struct ms_held_work ms_held_work;

/// The functions of the library above for sent and running work.
typedef struct {
  /// Returns the context to carry; NULL for none. `delay` is in nanoseconds.
  void *(*take)(ms_sending sending, uint64_t delay);
  /// Runs work that is no part of a task.
  void (*run)(void *carried, void (*work)(void *), void *context);
  /// Ends what `take` began.
  void (*drop)(void *carried);
  /// Whether it keeps a task's work back, to let it go later.
  bool (*hold)(void *carried, ms_held_work *work, bool is_on_main);
  /// A task was created; whether it began with its creator's values.
  void (*created)(void *task, bool inherits);
} ms_carrier;

/// Sets the carrier; NULL for none.
///
/// Signal safety: none; neither are the others.
void ms_carry_by(const ms_carrier *carrier);

/// Whether this program's sending functions are seen here.
bool ms_carries(void);

/// The context of the code that runs here; NULL for none.
void *ms_carried_here(void);

/// Sets the context that is carried here, and returns the previous one.
void *ms_set_carried_here(void *carried);

/// Sends held work where it belongs.
void ms_let_go(ms_held_work *work);

/// Sends a part of a task, of an executor of ours, to a queue of the pool: as the runtime sends those of its own.
void ms_send_part(void *part, void (*run)(void *part));

/// The id of a task.
uint64_t ms_id_of_task(void *task);

#ifdef __cplusplus
}
#endif
#endif

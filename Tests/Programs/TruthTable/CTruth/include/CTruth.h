// What a row of the truth table needs from C: forks, raw threads, and libdispatch's own assertion.
#ifndef MAINSTAY_CTRUTH_H
#define MAINSTAY_CTRUTH_H

#include <stdbool.h>

/// Whether `dispatch_assert_queue(queue)` passes here, asked in a copy of this process that may die.
bool truth_assertion_passes(void *queue);

/// `fork`, which Swift does not offer.
int truth_fork(void);

/// Runs `body` on a thread made by nobody but us, and waits for its end.
void truth_run_thread(void (*body)(void *), void *context);

/// `dispatch_async_and_wait`, which the overlay lacks.
void truth_async_and_wait(void *queue, void *context, void (*body)(void *));

/// Calls `body` when the calling thread ends.
void truth_at_thread_end(void (*body)(void *), void *context);

/// Calls `body` in a handler of `signal`, which this raises on the calling thread.
void truth_raise(int signal, void (*body)(void));

/// Calls `body` in a handler of `signal`, which this sends to the process, to the main thread.
void truth_signal_main_thread(int signal, void (*body)(void));

#endif

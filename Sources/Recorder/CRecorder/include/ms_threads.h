// Starts Mainstay's own threads.
#ifndef MAINSTAY_THREADS_H
#define MAINSTAY_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts a thread called "mainstay" that blocks the host's signals, and can still be suspended, sampled and crash.
/// `stack_size` 0 means the default size. Not signal-safe.
bool ms_thread_start(pthread_t *thread, size_t stack_size, void *(*run)(void *), void *context);

#ifdef __cplusplus
}
#endif
#endif

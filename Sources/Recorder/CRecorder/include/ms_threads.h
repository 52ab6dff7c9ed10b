// Starts the few threads that Mainstay has of its own.
#ifndef MAINSTAY_THREADS_H
#define MAINSTAY_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts a thread called "mainstay" that takes no signal meant for the host, and can still be
/// suspended, sampled and crash. `stack_size` 0: as all threads have. Not signal-safe.
bool ms_thread_start(pthread_t *thread, size_t stack_size, void *(*run)(void *), void *context);

#ifdef __cplusplus
}
#endif
#endif

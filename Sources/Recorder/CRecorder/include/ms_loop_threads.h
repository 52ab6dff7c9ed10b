// Identifies the threads that run event loops, by the prefixes of their names: those of SwiftNIO, and others that are added.
#ifndef MAINSTAY_LOOP_THREADS_H
#define MAINSTAY_LOOP_THREADS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the prefix of the names that a library gives the threads of its event loops. False if it is empty, or there is no
/// room. Signal safety: none; it allocates.
bool ms_loop_threads_add(const char *prefix);

/// Forgets all prefixes, SwiftNIO's too. Signal safety: safe.
void ms_loop_threads_forget(void);

/// Whether the name of a thread has such a prefix. Signal safety: safe.
bool ms_loop_threads_have(const char *name);

#ifdef __cplusplus
}
#endif
#endif

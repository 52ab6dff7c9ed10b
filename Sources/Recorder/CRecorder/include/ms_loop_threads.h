// Identifies threads that run event loops by the prefixes of their names: SwiftNIO's, and prefixes that are added.
#ifndef MAINSTAY_LOOP_THREADS_H
#define MAINSTAY_LOOP_THREADS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the prefix of the thread names of a library's event loops. Returns false if the prefix is empty or the table
/// is full. Signal safety: none; allocates.
bool ms_loop_threads_add(const char *prefix);

/// Removes all prefixes, including SwiftNIO's. Signal safety: safe.
void ms_loop_threads_forget(void);

/// Returns true if `name` begins with one of the prefixes. Signal safety: safe.
bool ms_loop_threads_have(const char *name);

#ifdef __cplusplus
}
#endif
#endif

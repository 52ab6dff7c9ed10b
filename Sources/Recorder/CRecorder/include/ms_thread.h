// The state that Mainstay keeps for each thread.
//
// Signal safety: every function here may be called from a signal handler.
#ifndef MAINSTAY_THREAD_H
#define MAINSTAY_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The state of one thread; only that thread accesses it.
typedef struct {
  uint32_t id;           ///< the kernel's id, cached after the first query; 0 before
  uint64_t identity;     ///< a counter value of the process, never 0 and never reused
  const void *delivery;  ///< the callback delivery that this thread is executing; NULL if none
  bool judging;          ///< true while this thread evaluates a violation
  bool redacting;        ///< true while this thread runs a redaction hook
} ms_thread_words;

/// Returns the state of the calling thread.
ms_thread_words *ms_thread_own(void);

/// Returns the kernel's id of the calling thread, queried once; a forked child keeps its parent's.
uint32_t ms_thread_id(void);

/// Returns the kernel's id of the calling thread, queried again: also correct in a forked child.
uint32_t ms_thread_id_anew(void);

/// Writes the name of the calling thread into `name`, truncated to `size`; empty if unknown.
void ms_thread_name(char *name, size_t size);

#ifdef __cplusplus
}
#endif
#endif

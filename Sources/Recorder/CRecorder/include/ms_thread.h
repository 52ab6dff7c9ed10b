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

/// The words of one thread; only that thread touches them.
typedef struct {
  uint32_t id;           ///< the kernel's id, once asked for; else 0
  uint64_t identity;     ///< never 0, never given twice in a process
  const void *delivery;  ///< the delivery this thread is in the middle of, if any
  bool judging;          ///< whether a violation is being judged here
  bool redacting;        ///< whether a redaction hook is running here
} ms_thread_words;

/// The words of the calling thread.
ms_thread_words *ms_thread_own(void);

/// The kernel's id of the calling thread, asked once; a forked child keeps its parent's.
uint32_t ms_thread_id(void);

/// The kernel's id of the calling thread, asked anew: right in a forked child too.
uint32_t ms_thread_id_anew(void);

/// Puts the name of the calling thread into `name`, whole or cut to `size`; empty if unknown.
void ms_thread_name(char *name, size_t size);

#ifdef __cplusplus
}
#endif
#endif

// The threads of this process, as the kernel lists them.
#ifndef MAINSTAY_THREAD_LIST_H
#define MAINSTAY_THREAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Keeps a descriptor for the list, for a process that has none left when it crashes. Not signal-safe.
void ms_list_prepare(void);
/// Gives it back. Not signal-safe.
void ms_list_end(void);

/// Writes down the kernel ids of all threads, and how many; false if there may be more.
/// Signal safety: safe.
bool ms_list_threads(uint32_t *threads, uint32_t capacity, uint32_t *count);

typedef struct {
  char name[16];
  bool exists;  // whatever else can be said of it
  bool blocks;  // the signal it was asked about, which is pending
  uint64_t blocked;  // all signals that it blocks, pending or not
} ms_thread_status;

/// Signal safety: safe.
ms_thread_status ms_thread_status_of(uint32_t thread, int signal);

#endif

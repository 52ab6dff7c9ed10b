// The threads of this process, as the kernel lists them.
#ifndef MAINSTAY_THREAD_LIST_H
#define MAINSTAY_THREAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens a reserved descriptor for the list, for a process without a free descriptor when it crashes. Not
/// signal-safe.
void ms_list_prepare(void);
/// Closes the reserved descriptor. Not signal-safe.
void ms_list_end(void);

/// Lists the kernel ids of all threads, and counts them; returns false if more threads may exist. Signal safety:
/// safe.
bool ms_list_threads(uint32_t *threads, uint32_t capacity, uint32_t *count);

typedef struct {
  char name[16];
  bool exists;  // known even if no other field is
  bool blocks;  // the signal in question is blocked and pending
  uint64_t blocked;  // the mask of all blocked signals
} ms_thread_status;

/// Reads the name of a thread, and whether it exists and blocks `signal`. Signal safety: safe.
ms_thread_status ms_thread_status_of(uint32_t thread, int signal);

#endif

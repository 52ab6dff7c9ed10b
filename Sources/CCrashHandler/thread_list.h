// The threads of this process, as the kernel lists them.
#ifndef MAINSTAY_THREAD_LIST_H
#define MAINSTAY_THREAD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes down the kernel ids of all threads; how many. Signal safety: safe.
uint32_t ms_list_threads(uint32_t *threads, uint32_t capacity);

typedef struct {
  char name[16];
  bool exists;
  bool blocks;  // the signal it was asked about, which is pending
} ms_thread_status;

/// Signal safety: safe.
ms_thread_status ms_thread_status_of(uint32_t thread, int signal);

#endif

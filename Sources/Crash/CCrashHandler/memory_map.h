// Walks through the memory to which this process has written.
#ifndef MAINSTAY_MEMORY_MAP_H
#define MAINSTAY_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_MEMORY_COPY = 32 << 10 };

/// Not sanitizer-instrumented, because the function reads memory of the process that is not its own.
#define MS_UNCHECKED __attribute__((no_sanitize("address", "thread")))

/// Searches `words`, the `size` bytes at `address` or a copy of them.
typedef void ms_memory_visitor(uintptr_t address, const uintptr_t *words, size_t size, void *argument);

/// Runs `work`; returns false if a fault ended it early.
typedef bool ms_memory_recovery(void (*work)(void *), void *argument);

/// The state of a walk; zero before the first walk. A crash needs a state of its own, because the crash may interrupt
/// another walk.
typedef struct {
  uint64_t until;      // end of the walk, by `ms_now`
  size_t object_size;  // size of the objects to find, a multiple of 16
  ms_memory_visitor *visit;
  void *argument;
  ms_memory_recovery *recover;  // NULL: the walk visits copies, which takes five times as long and cannot fault
  uint64_t unread;  // result: bytes that were not visited, in time or at all, including pages without content
  int files[2];     // open descriptors above 2; a fault during a walk leaves them open until the next walk
  size_t at, filled;  // position in `bytes`, and number of bytes
  size_t page_size;
  char bytes[4096];
  uint64_t pages[512];
  uintptr_t copy[MS_MEMORY_COPY / sizeof(uintptr_t)];
} ms_memory_walk;

/// Copies memory of this process by a system call, which cannot fault. Returns the number of bytes before the first
/// unreadable page. Signal safety: safe.
size_t ms_memory_read(uintptr_t address, void *copy, size_t size);

/// Visits the private writable memory without a file, as far as it has content. Each object of `object_size` bytes at a
/// multiple of 16 lies completely within one visit. Mappings below 128 MiB come first. Memory that another thread unmaps
/// meanwhile is skipped. Returns false if the kernel does not list the mappings. Signal safety: safe; uses at most two
/// descriptors.
bool ms_memory_visit(ms_memory_walk *walk);

#endif

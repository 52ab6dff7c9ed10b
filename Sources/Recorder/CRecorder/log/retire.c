// Frees the memory of a closed log as soon as no thread is inside a bracket.

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"

static ms_log *retired;  // closed logs with threads inside
static ms_log *left;     // the other closed logs: still usable, and reachable for leak checkers

/// Executes a memory barrier on all threads: afterwards, every thread either sees that a log was closed, or is
/// visible inside it. Returns false if the kernel or a sandbox does not allow the barrier; the memory is kept then.
static bool is_seen_by_all(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return true;
  // The barrier must be registered once in a process.
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
         syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool is_left(const ms_log *log) {
  return atomic_load(&log->visitors) == 0 && ms_slots_are_out_of(log);
}

/// Unmaps the log except for the header's page, because counts and last words are written without a visit.
static void give_back(ms_log *log) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  munmap((uint8_t *)log->header + page, log->capacity - page);
  ms_log_put_memory(log, 0, page);
  munmap(log->entries, log->entries_size);
}

/// Frees the log if no thread uses it. A forked child does not have the mapping: its addresses may be in use for
/// other memory.
static bool is_done_with(ms_log *log) {
  if (!atomic_load(&log->gate->ours)) return true;
  if (!is_left(log)) return false;
  give_back(log);
  return true;
}

static void sweep(void) {
  if (retired == NULL || !is_seen_by_all()) return;
  for (ms_log **at = &retired; *at;) {
    ms_log *log = *at;
    if (!is_done_with(log)) {
      at = &log->next_retired;
      continue;
    }
    *at = log->next_retired;
    log->next_retired = left;
    left = log;
  }
}

void ms_log_sweep(void) {
  ms_log_lock_registry();
  sweep();
  ms_log_unlock_registry();
}

/// Retires a closed log. If a thread is still inside, anonymous memory replaces the file, so that the file and its
/// lock are released at once. The next log that is opened or closed tries again to free the memory.
void ms_log_retire(ms_log *log) {
  ms_log_lock_registry();
  ms_log_unregister(log);
  log->next_retired = retired;
  retired = log;
  sweep();
  for (ms_log *other = retired; other; other = other->next_retired) {
    if (other == log && atomic_load(&log->gate->ours)) ms_log_put_memory(log, 0, log->capacity);
  }
  ms_log_unlock_registry();
}

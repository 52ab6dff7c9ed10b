// The table of open logs, the threads that use their memory, and the repair of a log after `fork` and after another
// process truncates the file.

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ms_log *_Atomic logs[MS_LOGS];

void ms_log_lock_registry(void) { pthread_mutex_lock(&lock); }
void ms_log_unlock_registry(void) { pthread_mutex_unlock(&lock); }

bool ms_log_register(ms_log *log) {
  static uint64_t next_id = 1;
  bool found = false;
  ms_log_lock_registry();
  for (uint32_t i = 0; i < MS_LOGS && !found; i++) {
    if (atomic_load(&logs[i]) != NULL) continue;
    log->index = i;
    log->id = next_id++;
    atomic_store(&logs[i], log);
    found = true;
  }
  ms_log_unlock_registry();
  return found;
}

void ms_log_unregister(ms_log *log) {
  ms_log *own = log;
  atomic_compare_exchange_strong(&logs[log->index], &own, NULL);
}

// --- Gates

/// Assigns a gate to the log. Gates are never freed, because callers may still query a closed log; a
/// page contains many.
bool ms_log_take_gate(ms_log *log) {
  static ms_gate *gates;
  static size_t used;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ms_log_lock_registry();
  if (gates == NULL || used == page / sizeof *gates) {
    void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    gates = memory == MAP_FAILED ? NULL : memory;
    used = 0;
    // If the kernel does not support this, the handler of `fork` clears the gates.
    if (gates) madvise(gates, page, MADV_WIPEONFORK);
  }
  if (gates) log->gate = &gates[used++];
  ms_log_unlock_registry();
  return log->gate != NULL;
}

// --- Visits

bool ms_log_visit(ms_log *log) {
  atomic_fetch_add(&log->visitors, 1);
  if (atomic_load(&log->gate->recording)) return true;
  ms_log_unvisit(log);
  return false;
}

void ms_log_unvisit(ms_log *log) { atomic_fetch_sub(&log->visitors, 1); }

bool ms_log_is_recording(const ms_log *log) {
  return atomic_load_explicit(&log->gate->recording, memory_order_relaxed) != 0;
}

ms_last_words *ms_log_last_words(ms_log *log) {
  return (ms_last_words *)((uint8_t *)log->header + MS_LAST_WORDS_OFFSET);
}

static bool holds(const ms_log *log, const void *address) {
  const uint8_t *start = (const uint8_t *)log->header;
  return (const uint8_t *)address >= start && (const uint8_t *)address < start + log->capacity;
}

ms_log *ms_log_visit_at(const void *address) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log == NULL || !holds(log, address)) continue;
    atomic_fetch_add(&log->visitors, 1);
    if (atomic_load(&logs[i]) == log && atomic_load(&log->gate->ours)) return log;
    ms_log_unvisit(log);
  }
  return NULL;
}

// --- Replacing a mapping by memory

/// Replaces a part of the file mapping by anonymous memory. Locked pages are unlocked first: they count against a
/// limit that the old and the new memory together may exceed.
bool ms_log_put_memory(ms_log *log, size_t from, size_t to) {
  uint8_t *start = (uint8_t *)log->header + from;
  munlock(start, to - from);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (mmap(start, to - from, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return false;
  if (munlock(start, to - from) == 0) madvise(start, to - from, MADV_DONTNEED);
  return true;
}

/// Changes the signal mask by the system call: the C library's function would also unblock the signal by which it
/// cancels a thread.
static uint64_t change_mask(int how, uint64_t signals) {
  uint64_t before = 0;
  syscall(SYS_rt_sigprocmask, how, &signals, &before, sizeof before);
  return before;
}

/// Marks the log as truncated in the remaining part of the file. The first page may be truncated during the write;
/// then the fault arrives here again.
static void mark_truncated(ms_log *log) {
  uint64_t before = change_mask(SIG_UNBLOCK, UINT64_C(1) << (SIGBUS - 1));
  atomic_store((_Atomic uint64_t *)&log->header->progress.ending,
               ms_ending_mark(log->salt, MS_ENDING_TRUNCATED));
  change_mask(SIG_SETMASK, before);
}

/// Keeps the first page mapped to the file as long as the file contains it, because the mark must reach the file even
/// if other threads fault meanwhile. The mark is written through the mapping: `write` could fail because of a file
/// size limit or a replaced descriptor.
static ms_repair repair(ms_log *log, const void *address) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  bool has_first_page = (const uint8_t *)address >= (const uint8_t *)log->header + page;
  if (!ms_log_put_memory(log, has_first_page ? page : 0, log->capacity)) return MS_REPAIR_NONE;
  if (atomic_exchange(&log->gate->recording, 0) == 0) return MS_REPAIR_AGAIN;
  if (has_first_page) mark_truncated(log);
  return MS_REPAIR_FIRST;
}

ms_repair ms_log_repair_mapping(const void *address) {
  ms_log *log = ms_log_visit_at(address);
  if (log == NULL) return MS_REPAIR_NONE;
  ms_repair repaired = repair(log, address);
  ms_log_unvisit(log);
  return repaired;
}

// --- Forks

/// Records that the process has a child: the kernel may now kill the child instead of this process for lack of
/// memory.
static void after_fork_in_parent(void) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log == NULL || !ms_log_visit(log)) continue;
    ms_log_last_words(log)->is_alone = 0;
    ms_log_unvisit(log);
  }
  ms_log_unlock_registry();
}

static void (*forget_threads)(void);

/// Detaches the child from its parent's logs. The child does not inherit the mapping; anonymous memory in its place
/// receives the rest of an interrupted record.
static void after_fork_in_child(void) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log == NULL) continue;
    atomic_store(&log->gate->recording, 0);
    atomic_store(&log->gate->ours, 0);
    ms_log_put_memory(log, 0, log->capacity);
  }
  forget_threads();
  ms_log_unlock_registry();
}

/// Starts the registry. `forget_in_child` is called in a forked child, where the parent's threads do not exist.
bool ms_registry_start(void (*forget_in_child)(void)) {
  forget_threads = forget_in_child;
  return pthread_atfork(ms_log_lock_registry, after_fork_in_parent, after_fork_in_child) == 0;
}

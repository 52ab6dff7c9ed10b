// Which thread records into which log through what; and what is given back when a thread ends.

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"

_Thread_local thread_entry ms_mine[MS_LOGS];

static pthread_mutex_t logs_lock = PTHREAD_MUTEX_INITIALIZER;
static ms_log *_Atomic logs[MS_LOGS];
static pthread_key_t end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool key_made;

static void release(ms_log *log, ms_log_thread *thread) {
  for (int pool = 0; pool < MS_CRUMB_POOLS; pool++) {
    for (int level = 0; level < MS_LEVELS; level++) {
      ms_chunks_let_go(log, &thread->writers[pool][level], (ms_pool)pool);
    }
  }
  uint32_t slot = thread->slot;
  memset(thread, 0, offsetof(ms_log_thread, stacks));
  atomic_store_explicit(&log->thread_taken[slot], 0, memory_order_release);
}

/// Each entry is emptied before what it names is given back: a signal handler that records in
/// between attaches anew, and this runs once more.
static void thread_ended(void *value) {
  thread_entry *entries = value;
  pthread_mutex_lock(&logs_lock);
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    ms_log_thread *thread = entries[i].thread;
    bool is_live = log && ms_is_entry_of(&entries[i], log);
    entries[i].log = 0;
    ms_order();
    if (is_live) release(log, thread);
  }
  pthread_mutex_unlock(&logs_lock);
}

static void before_fork(void) { pthread_mutex_lock(&logs_lock); }

/// The kernel may now kill the child instead of this process.
static void after_fork_in_parent(void) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log && ms_log_is_recording(log)) ms_log_last_words(log)->is_alone = 0;
  }
  pthread_mutex_unlock(&logs_lock);
}


/// The child keeps no hold on its parent's logs: their locks must end with the parent. What an
/// interrupted record has yet to write goes nowhere.
static void after_fork_in_child(void) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log == NULL) continue;
    atomic_store(&log->gate->recording, 0);
    atomic_store(&log->gate->ours, 0);
    mmap(log->header, log->capacity, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    int file = atomic_exchange(&log->file, -1);
    if (file >= 0) close(file);
  }
  pthread_mutex_unlock(&logs_lock);
}

static void start_once(void) {
  key_made = pthread_key_create(&end_of_thread, thread_ended) == 0;
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

bool ms_threads_start(void) {
  pthread_once(&once, start_once);
  return key_made;
}

bool ms_log_register(ms_log *log) {
  static uint64_t next_id = 1;
  bool found = false;
  pthread_mutex_lock(&logs_lock);
  for (uint32_t i = 0; i < MS_LOGS && !found; i++) {
    if (atomic_load(&logs[i]) != NULL) continue;
    log->index = i;
    log->id = next_id++;
    atomic_store(&logs[i], log);
    found = true;
  }
  pthread_mutex_unlock(&logs_lock);
  return found;
}

void ms_log_unregister(ms_log *log) {
  pthread_mutex_lock(&logs_lock);
  ms_log *own = log;
  atomic_compare_exchange_strong(&logs[log->index], &own, NULL);
  pthread_mutex_unlock(&logs_lock);
}

static ms_log_thread *take_slot(ms_log *log) {
  for (uint32_t i = 0; i < MS_THREADS; i++) {
    uint8_t free_slot = 0;
    if (atomic_load_explicit(&log->thread_taken[i], memory_order_relaxed) != 0) continue;
    if (!atomic_compare_exchange_strong_explicit(&log->thread_taken[i], &free_slot, 1,
                                                 memory_order_acquire, memory_order_relaxed)) {
      continue;
    }
    ms_log_thread *thread = &log->threads[i];
    thread->slot = i;
    return thread;
  }
  return NULL;
}

static ms_log_thread *begin_thread(ms_log *log) {
  ms_log_thread *thread = take_slot(log);
  if (thread == NULL) return NULL;
  thread->log = log;
  thread->ordinal = atomic_fetch_add_explicit(&log->ordinals, 1, memory_order_relaxed) + 1;
  thread->kernel_id = (uint32_t)syscall(SYS_gettid);
  prctl(PR_GET_NAME, thread->name);
  return thread;
}

/// This thread's first crumb. A signal handler that interrupts it and records too is refused.
static ms_log_thread *attach(ms_log *log) {
  thread_entry *entry = &ms_mine[log->index];
  if (entry->attaching) return NULL;
  entry->attaching = true;
  ms_order();
  ms_log_thread *thread = begin_thread(log);
  if (thread) {
    entry->thread = thread;
    ms_order();
    entry->log = log->id;
    pthread_setspecific(end_of_thread, ms_mine);
  }
  ms_order();
  entry->attaching = false;
  return thread;
}

static ms_log_thread *refuse(ms_log *log, ms_kind kind) {
  atomic_fetch_add_explicit((_Atomic uint64_t *)&log->header->progress.dropped[kind % MS_KINDS], 1,
                            memory_order_relaxed);
  return NULL;
}

ms_log_thread *ms_thread_enter_slowly(ms_log *log, ms_kind kind) {
  thread_entry *entry = &ms_mine[log->index];
  ms_log_thread *thread = ms_is_entry_of(entry, log) ? entry->thread : attach(log);
  if (thread == NULL || thread->depth >= MS_LEVELS) return refuse(log, kind);
  ms_fault_note_crumb(log, thread->kernel_id);
  thread->depth++;
  ms_order();
  return thread;
}

size_t ms_log_thread_size(void) { return sizeof(ms_log_thread); }

/// Says in what is left of the file that it was cut, since the mapping no longer reaches it.
static void mark_truncated(const ms_log *log) {
  struct stat status;
  if (fstat(log->file, &status) != 0 || status.st_size < MS_LOG_HEADER_SIZE) return;
  uint64_t mark = ms_ending_mark(log->salt, MS_ENDING_TRUNCATED);
  size_t offset = offsetof(ms_log_header, progress) + offsetof(ms_log_progress, ending);
  (void)!pwrite(log->file, &mark, sizeof mark, (off_t)offset);
}

ms_repair ms_log_repair_mapping(const void *address) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log *log = atomic_load(&logs[i]);
    if (log == NULL || !atomic_load(&log->gate->ours)) continue;
    const uint8_t *start = (const uint8_t *)log->header;
    if ((const uint8_t *)address < start || (const uint8_t *)address >= start + log->capacity) {
      continue;
    }
    void *memory = mmap(log->header, log->capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return MS_REPAIR_NONE;
    if (atomic_exchange(&log->gate->recording, 0) == 0) return MS_REPAIR_AGAIN;
    mark_truncated(log);
    return MS_REPAIR_FIRST;
  }
  return MS_REPAIR_NONE;
}

// The slots by which threads record into logs, and their release when a thread ends.

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"

_Thread_local thread_entry ms_mine[MS_LOGS];

static pthread_key_t end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_started;

/// The destructor of a thread. Empties each entry before it releases the slot. If a signal handler records in
/// between, it attaches a new slot, and this destructor runs once more.
static void thread_ended(void *value) {
  thread_entry *entries = value;
  for (int i = 0; i < MS_LOGS; i++) {
    ms_log_thread *thread = entries[i].thread;
    entries[i].log = 0;
    ms_order();
    entries[i].thread = NULL;
    ms_order();
    if (thread) ms_slot_give_back(thread);
  }
}

/// Empties the entries in a forked child: the slots belong to the parent's threads, and can be reused.
static void forget(void) {
  for (int i = 0; i < MS_LOGS; i++) {
    ms_mine[i].log = 0;
    ms_order();
    ms_mine[i].thread = NULL;
  }
}

static void start_once(void) {
  is_started = pthread_key_create(&end_of_thread, thread_ended) == 0 && ms_registry_start(forget);
}

/// Initializes this file once. Calls the loader outside of `pthread_once`: a library's constructor that opens a log
/// already holds the loader's lock.
bool ms_threads_start(void) {
  ms_stay_loaded();
  pthread_once(&once, start_once);
  return is_started;
}

/// Unblocks SIGBUS. A store into a file that another process truncates raises SIGBUS, which kills a thread that
/// blocks it, whatever the handler. A host that blocks all signals wants to block signals from other processes;
/// `ms_thread_take_back_bus_error` blocks SIGBUS again for such a signal.
static void let_bus_error_through(thread_entry *entry) {
  sigset_t bus_error, mask;
  sigemptyset(&bus_error);
  sigaddset(&bus_error, SIGBUS);
  if (pthread_sigmask(SIG_UNBLOCK, &bus_error, &mask) != 0) return;
  if (sigismember(&mask, SIGBUS)) entry->let_bus_error_through = true;
}

bool ms_thread_take_back_bus_error(void) {
  bool had_it_blocked = false;
  for (int i = 0; i < MS_LOGS; i++) {
    had_it_blocked |= ms_mine[i].let_bus_error_through;
    ms_mine[i].let_bus_error_through = false;
  }
  return had_it_blocked;
}

/// Returns the slot that this thread had for a log that is closed now; NULL after a fork, because the slot is the
/// parent's.
static ms_log_thread *own_slot(const thread_entry *entry, uint32_t kernel_id) {
  ms_log_thread *thread = entry->thread;
  return thread && thread->kernel_id == kernel_id ? thread : NULL;
}

static ms_log_thread *find_slot(const thread_entry *entry, uint32_t kernel_id) {
  ms_log_thread *own = own_slot(entry, kernel_id);
  if (own == NULL) return ms_slot_take();
  if (own->depth != 0) return NULL;  // the calling handler interrupted a record into the closed log
  ms_slot_leave_log(own);
  return own;
}

static ms_log_thread *begin_thread(ms_log *log, const thread_entry *entry) {
  uint32_t kernel_id = (uint32_t)syscall(SYS_gettid);
  ms_log_thread *thread = find_slot(entry, kernel_id);
  if (thread == NULL) return NULL;
  __atomic_store_n(&thread->kernel_id, kernel_id, __ATOMIC_RELAXED);
  thread->ordinal = atomic_fetch_add_explicit(&log->ordinals, 1, memory_order_relaxed) + 1;
  prctl(PR_GET_NAME, thread->name);
  __atomic_store_n(&thread->log, log, __ATOMIC_RELEASE);
  return thread;
}

/// Attaches a slot at this thread's first crumb. Rejects a signal handler that interrupts it and records too.
static ms_log_thread *attach(ms_log *log) {
  thread_entry *entry = &ms_mine[log->index];
  if (entry->attaching) return NULL;
  int number = errno;
  entry->attaching = true;
  ms_order();
  bool has_room = atomic_fetch_add(&log->threads, 1) < MS_THREADS;
  ms_log_thread *thread = has_room ? begin_thread(log, entry) : NULL;
  if (thread) {
    entry->thread = thread;
    ms_order();
    entry->log = log->id;
    pthread_setspecific(end_of_thread, ms_mine);
    let_bus_error_through(entry);
  } else {
    atomic_fetch_sub(&log->threads, 1);
  }
  ms_order();
  entry->attaching = false;
  errno = number;
  return thread;
}

static ms_log_thread *refuse(ms_log *log, ms_kind kind) {
  atomic_fetch_add_explicit((_Atomic uint64_t *)&log->header->progress.dropped[kind % MS_KINDS], 1,
                            memory_order_relaxed);
  return NULL;
}

ms_log_thread *ms_thread_enter_slowly(ms_log *log, ms_kind kind) {
  if (!ms_log_is_recording(log) || !ms_log_visit(log)) return NULL;
  thread_entry *entry = &ms_mine[log->index];
  ms_log_thread *thread = ms_is_entry_of(entry, log) ? entry->thread : attach(log);
  if (thread && thread->depth < MS_LEVELS) {
    ms_fault_note_crumb(log, thread->kernel_id);
    __atomic_store_n(&thread->depth, thread->depth + 1, __ATOMIC_RELAXED);
    ms_order();
  } else {
    thread = refuse(log, kind);
  }
  ms_log_unvisit(log);
  return thread;
}

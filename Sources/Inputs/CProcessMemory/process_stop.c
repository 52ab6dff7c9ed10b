#include "ms_process_stop.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The tracer's private state of a thread.
typedef struct {
  bool is_traced;
  bool stands;
  // A signal that reached the thread before the interruption; detaching delivers it.
  int signal;
} trace_state;

struct ms_process_stop {
  int process;
  uint64_t budget;
  ms_stopped_thread *threads;
  trace_state *states;
  size_t count, room;
  int error;
  uint64_t began, ended;
  // The time that the interruption of the threads took.
  uint64_t interrupting;
  bool was_cut;
  // True if threads were left running because stopping all of them would take too long.
  bool is_partial;
  pthread_t tracer;
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool is_ready, is_over;  // guarded by `lock`
};

// The time after which the tracer gives up on threads that are not stopped. A thread in
// uninterruptible sleep, in disk I/O or vfork, cannot be stopped.
static const uint64_t patience = 60 * 1000 * 1000;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct timespec timespec_of(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
}

/// The duration for which the tracer waits for threads to stop. It interrupts them in the first half,
/// because waiting takes about as long.
static uint64_t settling_time(const ms_process_stop *stop) {
  uint64_t most = stop->budget / 3 * 2;
  return most < patience ? most : patience;
}

/// True if the thread is known. `place` is the expected index, because the kernel lists threads in
/// order of creation.
static bool is_known(const ms_process_stop *stop, int id, size_t *place) {
  for (size_t i = 0; i < stop->count; i++) {
    size_t at = (*place + i) % stop->count;
    if (stop->threads[at].id != id) continue;
    *place = at + 1;
    return true;
  }
  return false;
}

static bool add(ms_process_stop *stop, int id) {
  if (stop->count == stop->room) {
    size_t room = stop->room ? stop->room * 2 : 64;
    ms_stopped_thread *threads = realloc(stop->threads, room * sizeof *threads);
    if (threads == NULL) return false;
    stop->threads = threads;
    trace_state *states = realloc(stop->states, room * sizeof *states);
    if (states == NULL) return false;
    stop->states = states;
    stop->room = room;
  }
  stop->threads[stop->count] = (ms_stopped_thread){.id = id};
  stop->states[stop->count] = (trace_state){0};
  stop->count++;
  return true;
}

/// Adds and interrupts the threads that are not yet known; returns the number of threads to wait for.
static size_t interrupt_new_threads(ms_process_stop *stop) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/task", stop->process);
  DIR *tasks = opendir(path);
  if (tasks == NULL) return 0;
  size_t before = stop->count, place = 0;
  struct dirent *entry;
  while ((entry = readdir(tasks)) != NULL) {
    int id = atoi(entry->d_name);
    if (id <= 0 || (before > 0 && is_known(stop, id, &place))) continue;
    if (!add(stop, id)) break;
  }
  closedir(tasks);
  uint64_t start = now();
  size_t i = before;
  for (; i < stop->count && !stop->is_partial; i++) {
    ms_stopped_thread *thread = &stop->threads[i];
    if (stop->began != 0 && now() > stop->began + settling_time(stop) / 2) {
      stop->is_partial = true;
      break;
    }
    // PTRACE_O_EXITKILL is not set, so the thread continues if the tracer dies.
    if (ptrace(PTRACE_SEIZE, thread->id, NULL, NULL) != 0) {
      thread->error = errno;
      continue;
    }
    stop->states[i].is_traced = true;
    if (stop->began == 0) stop->began = now();
    if (ptrace(PTRACE_INTERRUPT, thread->id, NULL, NULL) != 0) thread->error = errno;
  }
  stop->interrupting += now() - start;
  for (size_t late = i; late < stop->count; late++) stop->threads[late].error = ETIMEDOUT;
  return i - before;
}

static void read_registers(ms_stopped_thread *thread) {
  struct iovec general = {thread->registers, sizeof thread->registers};
  if (ptrace(PTRACE_GETREGSET, thread->id, (void *)NT_PRSTATUS, &general) != 0) {
    thread->error = errno;
    return;
  }
  thread->register_count = (uint32_t)(general.iov_len / sizeof thread->registers[0]);
#if defined(__x86_64__)
  thread->thread_pointer = thread->registers[21];
#elif defined(__aarch64__)
  uint64_t pointer = 0;
  struct iovec tls = {&pointer, sizeof pointer};
  if (ptrace(PTRACE_GETREGSET, thread->id, (void *)NT_ARM_TLS, &tls) == 0) thread->thread_pointer = pointer;
#endif
}

/// True if the thread is stopped, or cannot be stopped.
static bool has_settled(ms_stopped_thread *thread, trace_state *state) {
  if (thread->error != 0 || state->stands) return true;
  int status;
  int result = waitpid(thread->id, &status, __WALL | WNOHANG);
  if (result == 0) return false;
  if (result < 0 || !WIFSTOPPED(status)) {
    if (result < 0 && errno == EINTR) return false;
    thread->error = ESRCH;
    state->is_traced = false;
    return true;
  }
  state->stands = true;
  // Only a signal-delivery stop has no event. Detaching cancels the interruption that is still
  // pending.
  if (status >> 16 == 0) state->signal = WSTOPSIG(status);
  read_registers(thread);
  return true;
}

static void wait_for_all(ms_process_stop *stop) {
  uint64_t limit = stop->began + settling_time(stop);
  size_t first = 0;
  while (first < stop->count) {
    if (has_settled(&stop->threads[first], &stop->states[first])) {
      first++;
      continue;
    }
    if (now() > limit) {
      stop->threads[first++].error = ETIMEDOUT;
      continue;
    }
    struct timespec moment = timespec_of(20 * 1000);
    nanosleep(&moment, NULL);
  }
}

static void detach_all(ms_process_stop *stop) {
  for (size_t i = 0; i < stop->count; i++) {
    trace_state *state = &stop->states[i];
    if (!state->is_traced) continue;
    int id = stop->threads[i].id;
    if (!state->stands) {
      // Detaching requires a stopped thread. The request to stop may take effect after the wait
      // ended; then only the tracer may resume the thread.
      int status;
      if (waitpid(id, &status, __WALL | WNOHANG) != id || !WIFSTOPPED(status)) continue;
      if (status >> 16 == 0) state->signal = WSTOPSIG(status);
    }
    ptrace(PTRACE_DETACH, id, NULL, (void *)(intptr_t)state->signal);
  }
}

static void *trace(void *argument) {
  ms_process_stop *stop = argument;
  // On a busy machine the stopped process must not wait until its tracer is scheduled. Only
  // CAP_SYS_NICE permits a real-time policy; without it, the stop may take longer.
  const struct sched_param lowest = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_FIFO, &lowest) != 0) setpriority(PRIO_PROCESS, (id_t)gettid(), -10);
  while (interrupt_new_threads(stop) > 0) wait_for_all(stop);
  bool any = false;
  for (size_t i = 0; i < stop->count; i++) any = any || stop->threads[i].error == 0;
  pthread_mutex_lock(&stop->lock);
  if (!any) stop->error = stop->count > 0 ? stop->threads[0].error : ESRCH;
  stop->is_ready = true;
  pthread_cond_broadcast(&stop->change);
  // Resuming the threads takes less time than interrupting them.
  uint64_t reserve = stop->interrupting < stop->budget ? stop->interrupting : stop->budget;
  struct timespec limit = timespec_of(stop->began + stop->budget - reserve);
  int result = 0;
  while (any && !stop->is_over && result != ETIMEDOUT) {
    result = pthread_cond_timedwait(&stop->change, &stop->lock, &limit);
  }
  stop->was_cut = any && (!stop->is_over || stop->is_partial);
  pthread_mutex_unlock(&stop->lock);
  detach_all(stop);
  stop->ended = now();
  // The kernel detaches a thread that could not be stopped, because its tracer ends here.
  return NULL;
}

ms_process_stop *ms_process_stop_begin(int process, uint64_t budget) {
  ms_process_stop *stop = calloc(1, sizeof *stop);
  if (stop == NULL) return NULL;
  stop->process = process;
  stop->budget = budget;
  pthread_mutex_init(&stop->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&stop->change, &attributes);
  pthread_condattr_destroy(&attributes);
  // Only the tracing thread may end a trace. A separate thread can end the stop while the caller
  // reads memory.
  int error = pthread_create(&stop->tracer, NULL, trace, stop);
  if (error == 0) {
    pthread_mutex_lock(&stop->lock);
    while (!stop->is_ready) pthread_cond_wait(&stop->change, &stop->lock);
    error = stop->error;
    pthread_mutex_unlock(&stop->lock);
    if (error == 0) return stop;
    pthread_join(stop->tracer, NULL);
  }
  ms_process_stop_free(stop);
  errno = error;
  return NULL;
}

const ms_stopped_thread *ms_process_stop_threads(const ms_process_stop *stop, size_t *count) {
  *count = stop->count;
  return stop->threads;
}

uint64_t ms_process_stop_end(ms_process_stop *stop, bool *was_cut) {
  pthread_mutex_lock(&stop->lock);
  stop->is_over = true;
  pthread_cond_broadcast(&stop->change);
  pthread_mutex_unlock(&stop->lock);
  pthread_join(stop->tracer, NULL);
  *was_cut = stop->was_cut;
  return stop->ended - stop->began;
}

void ms_process_stop_free(ms_process_stop *stop) {
  pthread_cond_destroy(&stop->change);
  pthread_mutex_destroy(&stop->lock);
  free(stop->threads);
  free(stop->states);
  free(stop);
}

// Waits for the kernel to report a lack of memory, on a separate thread that otherwise sleeps.
//
// The thread has its own descriptor table. Otherwise a daemon that closes all descriptors it did not open would reuse
// the numbers of the files that this thread polls and reads.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ms_threads.h"
#include "ms_log_words.h"
#include "ms_watch.h"

// `close_range` exists since Linux 5.9; the headers may be older.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
enum { with_a_table_of_its_own = 2 };

// A stall of 150 ms within 2 s: the shortest window that needs no privilege.
static const char trigger[] = "some 150000 2000000";

enum {
  apart_ms = 1000,
  stack_size = 128 * 1024,  // enough for a profiler's signal handler
};

struct ms_pressure {
  ms_log *log;
  pid_t process;
  const ms_pressure_files *files;  // valid only while the thread starts
  sem_t begun;
  bool watches;
  struct pollfd reports;  // in the thread's own descriptor table
  pthread_t thread;
};

static int watch_stall(const char *path) {
  if (path == NULL) return -1;
  int file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -1;
  if (write(file, trigger, sizeof trigger) == (ssize_t)sizeof trigger) return file;
  close(file);
  return -1;
}

static int watch_events(const char *path) {
  if (path == NULL) return -1;
  int file = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (file < 0) return -1;
  if (inotify_add_watch(file, path, IN_MODIFY) >= 0) return file;
  close(file);
  return -1;
}

static bool have_own_descriptors(void) {
  return syscall(SYS_close_range, 0u, ~0u, with_a_table_of_its_own) == 0;
}

static bool open_reports(struct pollfd *reports, const ms_pressure_files *files) {
  *reports = (struct pollfd){watch_stall(files->stall), POLLPRI, 0};
  if (reports->fd < 0) *reports = (struct pollfd){watch_events(files->events), POLLIN, 0};
  return reports->fd >= 0;
}

/// Discards all inotify events. Returns false if the watch was removed.
static bool read_events(int file) {
  _Alignas(struct inotify_event) char bytes[4096];
  ssize_t got;
  bool watches = true;
  while ((got = read(file, bytes, sizeof bytes)) > 0) {
    for (char *at = bytes; at < bytes + got;) {
      const struct inotify_event *event = (const struct inotify_event *)at;
      if (event->mask & IN_IGNORED) watches = false;
      at += sizeof *event + event->len;
    }
  }
  return watches;
}

/// Polls. The only cancellation point of the thread, by which `ms_pressure_end` ends the thread.
static int wait_or_end(struct pollfd *files, nfds_t count, int milliseconds) {
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  int result = poll(files, count, milliseconds);
  int number = errno;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  errno = number;
  return result;
}

/// Waits for a report. Returns false if no more reports will arrive.
static bool wait_for_report(ms_pressure *pressure) {
  struct pollfd *reports = &pressure->reports;
  // A call that fails now, for example for lack of memory, may fail again at once. Retries are limited to the rate of
  // reports.
  while (wait_or_end(reports, 1, -1) < 0) {
    if (errno != EINTR) wait_or_end(NULL, 0, apart_ms);
  }
  // A wake-up without a report means that the cgroup was removed.
  if (!(reports->revents & reports->events)) return false;
  return reports->events != POLLIN || read_events(reports->fd);
}

/// Closes the descriptor before the thread ends, because the kernel may release the thread's descriptor table only
/// after `pthread_join` has returned.
static void close_reports(void *context) { close(((ms_pressure *)context)->reports.fd); }

static void *watch(void *context) {
  ms_pressure *pressure = context;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  bool watches = have_own_descriptors() && open_reports(&pressure->reports, pressure->files);
  pressure->watches = watches;
  sem_post(&pressure->begun);
  if (!watches) return NULL;
  pthread_cleanup_push(close_reports, pressure);
  while (wait_for_report(pressure)) {
    ms_lifecycle_note(pressure->log, MS_WORD_DID_RECEIVE_MEMORY_WARNING);
    // Reports that follow each other closely are merged, so that they do not displace other crumbs.
    wait_or_end(NULL, 0, apart_ms);
  }
  pthread_cleanup_pop(true);
  return NULL;
}

static bool begin(ms_pressure *pressure) {
  if (!ms_thread_start(&pressure->thread, stack_size, watch, pressure)) return false;
  while (sem_wait(&pressure->begun) != 0 && errno == EINTR) continue;
  if (!pressure->watches) pthread_join(pressure->thread, NULL);
  return pressure->watches;
}

ms_pressure *ms_pressure_begin(ms_log *log, const ms_pressure_files *files) {
  ms_pressure *pressure = calloc(1, sizeof *pressure);
  if (pressure == NULL) return NULL;
  pressure->log = log;
  pressure->process = getpid();
  pressure->files = files;
  sem_init(&pressure->begun, 0, 0);
  int state = ms_begin_uncancellable();
  bool begun = begin(pressure);
  ms_end_uncancellable(state);
  if (begun) return pressure;
  free(pressure);
  return NULL;
}

void ms_pressure_end(ms_pressure *pressure) {
  if (pressure->process == getpid()) {  // a forked child does not have the thread
    int state = ms_begin_uncancellable();
    pthread_cancel(pressure->thread);
    pthread_join(pressure->thread, NULL);
    ms_end_uncancellable(state);
  }
  free(pressure);
}

static char stall_path[PATH_MAX], events_path[PATH_MAX], older_path[PATH_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *if_there(const char *path) { return access(path, R_OK) == 0 ? path : NULL; }

/// Finds the file of cgroups v1 that counts kills, from a line such as `4:memory:/group`.
static void find_older_group(const char *line) {
  const char *controllers = strchr(line, ':');
  const char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (group == NULL) return;
  static const char memory[] = "memory";
  size_t size = (size_t)(group - controllers - 1);
  if (size != sizeof memory - 1 || strncmp(controllers + 1, memory, size) != 0) return;
  int length = snprintf(older_path, sizeof older_path, "/sys/fs/cgroup/memory%s/memory.oom_control",
                        strcmp(group + 1, "/") == 0 ? "" : group + 1);
  if (length >= PATH_MAX) older_path[0] = 0;
}

/// Finds the paths of the files of this process's cgroup.
static void find_group(void) {
  char line[PATH_MAX];
  FILE *file = fopen("/proc/self/cgroup", "re");
  if (file == NULL) return;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    find_older_group(line);
    if (strncmp(line, "0::", 3) != 0) continue;
    const char *group = strcmp(line + 3, "/") == 0 ? "" : line + 3;
    int stall = snprintf(stall_path, sizeof stall_path, "/sys/fs/cgroup%s/memory.pressure", group);
    int events = snprintf(events_path, sizeof events_path, "/sys/fs/cgroup%s/memory.events", group);
    if (stall >= PATH_MAX) stall_path[0] = 0;
    if (events >= PATH_MAX) events_path[0] = 0;
  }
  fclose(file);
}

ms_pressure_files ms_pressure_find_files(void) {
  pthread_once(&once, find_group);
  const char *stall = if_there(stall_path);
  const char *events = if_there(events_path);
  if (stall == NULL && events == NULL) stall = if_there("/proc/pressure/memory");
  return (ms_pressure_files){stall, events};
}

const char *ms_oom_kills_file(void) {
  pthread_once(&once, find_group);
  const char *events = if_there(events_path);
  return events ? events : if_there(older_path);
}

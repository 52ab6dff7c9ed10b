// Waits, on a thread of its own that otherwise sleeps, for the kernel to report a lack of memory.

#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "CProcessWatch.h"

// Somebody stalled for 150 ms within 2 s: the shortest window that needs no privilege.
static const char trigger[] = "some 150000 2000000";

enum {
  apart_ms = 1000,
  stack_size = 128 * 1024,  // a profiler's handler may run there
};

struct ms_pressure {
  ms_log *log;
  pid_t process;
  int reports;
  int stop;
  short event;  // what poll says when there is a report
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

/// Empties an inotify file; false once it watches nothing any more.
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

/// Warnings that follow each other closely are one, lest they push each other out of the log.
static bool is_stopped_within(ms_pressure *pressure, int milliseconds) {
  struct pollfd stop = {pressure->stop, POLLIN, 0};
  return poll(&stop, 1, milliseconds) > 0;
}

static void *wait_for_reports(void *context) {
  ms_pressure *pressure = context;
  struct pollfd files[2] = {{pressure->reports, pressure->event, 0}, {pressure->stop, POLLIN, 0}};
  for (;;) {
    if (poll(files, 2, -1) < 0) continue;
    if (files[1].revents) return NULL;
    // Without a report in it, the control group is gone.
    if (!(files[0].revents & pressure->event)) return NULL;
    if (pressure->event == POLLIN && !read_events(pressure->reports)) return NULL;
    ms_lifecycle_note(pressure->log, "did receive memory warning");
    if (is_stopped_within(pressure, apart_ms)) return NULL;
  }
}

ms_pressure *ms_pressure_begin(ms_log *log, const ms_pressure_files *files) {
  ms_pressure *pressure = calloc(1, sizeof *pressure);
  if (pressure == NULL) return NULL;
  pressure->log = log;
  pressure->process = getpid();
  pressure->event = POLLPRI;
  pressure->stop = eventfd(0, EFD_CLOEXEC);
  pressure->reports = watch_stall(files->stall);
  if (pressure->reports < 0) {
    pressure->event = POLLIN;
    pressure->reports = watch_events(files->events);
  }
  if (pressure->reports >= 0 && pressure->stop >= 0 && ms_thread_start(&pressure->thread, stack_size, wait_for_reports, pressure)) {
    return pressure;
  }
  if (pressure->reports >= 0) close(pressure->reports);
  if (pressure->stop >= 0) close(pressure->stop);
  free(pressure);
  return NULL;
}

void ms_pressure_end(ms_pressure *pressure) {
  if (pressure->process == getpid()) {  // a forked child has no such thread
    uint64_t one = 1;
    (void)!write(pressure->stop, &one, sizeof one);
    pthread_join(pressure->thread, NULL);
  }
  close(pressure->reports);
  close(pressure->stop);
  free(pressure);
}

static char stall_path[PATH_MAX], events_path[PATH_MAX], older_path[PATH_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *if_there(const char *path) { return access(path, R_OK) == 0 ? path : NULL; }

/// Where the first version of control groups counts what the kernel killed: "4:memory:/group".
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

/// Names the files of this process's own control group.
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

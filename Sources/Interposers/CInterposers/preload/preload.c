#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ms_preload_say(const char *what, const char *more) {
  char line[640];
  int size = snprintf(line, sizeof line, "mainstay: %s%s\n", what, more);
  if (size > 0 && write(STDERR_FILENO, line, strnlen(line, sizeof line)) < 0) return;
}

ms_log *ms_preload_open_log(const char *path) {
  ms_log_failure failure;
  ms_log *log = ms_log_open(
      &(ms_log_options){
          .path = path,
          .capacity = 4 << 20,
          .keep = 5,
      },
      &failure);
  if (!log) ms_preload_say("the log cannot be opened: ", strerror(failure.error_number));
  return log;
}

void ms_preload_close_log(ms_log *log) {
  if (!log) return;
  ms_log_list_modules(log);
  ms_log_mark_clean(log);
}

/// The path of this process's log. The log of a child is next to that of the first process: toolkit.log,
/// toolkit-4711.log.
static char *path_of(const char *path, bool is_child) {
  char *own = NULL;
  if (!is_child) return strdup(path);
  const char *end = strrchr(path, '.');
  if (!end || strchr(end, '/')) end = path + strlen(path);
  return asprintf(&own, "%.*s-%d%s", (int)(end - path), path, getpid(), end) < 0 ? NULL : own;
}

static bool read_request(ms_preload_request *request) {
  const char *process = getenv("MAINSTAY_RUN_PROCESS"), *path = getenv("MAINSTAY_RUN_LOG");
  if (!process || !path) return false;
  request->is_child = strtol(process, NULL, 10) != getpid();
  if (request->is_child && !getenv("MAINSTAY_RUN_CHILDREN")) return false;
  request->log = path_of(path, request->is_child);
  request->threshold_ns = strtoull(getenv("MAINSTAY_RUN_OVER") ?: "5000000", NULL, 10);
  request->places = (uint32_t)strtoul(getenv("MAINSTAY_RUN_ON") ?: "7", NULL, 10);
  request->loops = getenv("MAINSTAY_RUN_LOOPS");
  request->policy = (int)strtol(getenv("MAINSTAY_RUN_POLICY") ?: "0", NULL, 10);
  request->allowed = getenv("MAINSTAY_RUN_ALLOW");
  return request->log != NULL;
}

/// Removes the request from the environment, unless child processes need it. The strings stay valid.
static void take_out(void) {
  static const char *const names[] = {"PROCESS", "LOG", "PRELOAD", "OVER", "ON", "LOOPS", "POLICY", "ALLOW"};
  if (getenv("MAINSTAY_RUN_CHILDREN")) return;
  const char *before = getenv("MAINSTAY_RUN_PRELOAD");
  if (before && *before) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32];
    snprintf(name, sizeof name, "MAINSTAY_RUN_%s", names[i]);
    unsetenv(name);
  }
}

bool ms_preload_take_request(ms_preload_request *request) {
  if (!read_request(request)) return false;
  take_out();
  return true;
}

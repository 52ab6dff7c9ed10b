#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

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
  if (!log) {
    char what[512];
    snprintf(what, sizeof what, "%s: the log cannot be opened: ", path);
    ms_preload_say(what, strerror(failure.error_number));
  }
  if (log) ms_log_note_handler(log, MS_HANDLER_OF_RUN);
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
  request->is_in_tests = getenv("MAINSTAY_RUN_BUNDLES") != NULL;
  // `crashscan test` observes only test bundles, not the compilers that build them.
  if (request->is_in_tests && !ms_is_test_bundle()) return false;
  request->log = path_of(path, request->is_child);
  request->threshold_ns = strtoull(getenv("MAINSTAY_RUN_OVER") ?: "5000000", NULL, 10);
  request->places = (uint32_t)strtoul(getenv("MAINSTAY_RUN_ON") ?: "7", NULL, 10);
  request->loops = getenv("MAINSTAY_RUN_LOOPS");
  request->policy = (int)strtol(getenv("MAINSTAY_RUN_POLICY") ?: "0", NULL, 10);
  request->allowed = getenv("MAINSTAY_RUN_ALLOW");
  return request->log != NULL;
}

static const char *const names[] = {"PROCESS", "LOG", "PRELOAD", "OVER", "ON", "LOOPS", "POLICY", "ALLOW"};
enum { name_count = sizeof names / sizeof *names };

static const char prefix[] = "MAINSTAY_RUN_", preload[] = "LD_PRELOAD=";

// The request that was removed from the environment, for the next program of this process.
static struct {
  pid_t process;                // 0: nothing was removed
  char *libraries;              // the part of LD_PRELOAD that crashscan added
  char *variables[name_count];  // NAME=value; NULL: not set
} taken;

static void keep(const char *before) {
  const char *libraries = getenv("LD_PRELOAD");
  if (!libraries) return;
  size_t size = strlen(libraries), rest = before && *before ? strlen(before) + 1 : 0;
  if (rest > size) return;
  taken.libraries = strndup(libraries, size - rest);
  for (size_t i = 0; i < name_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%s", prefix, names[i]);
    const char *value = getenv(name);
    // The next program finds its own list of libraries.
    if (!value || strcmp(names[i], "PRELOAD") == 0) continue;
    if (asprintf(&taken.variables[i], "%s=%s", name, value) < 0) taken.variables[i] = NULL;
  }
  if (taken.libraries) taken.process = getpid();
}

/// Removes the request from the environment, unless child processes need it. The strings stay valid.
static void take_out(void) {
  if (getenv("MAINSTAY_RUN_CHILDREN")) return;
  keep(getenv("MAINSTAY_RUN_PRELOAD"));
  const char *before = getenv("MAINSTAY_RUN_PRELOAD");
  if (before && *before) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  for (size_t i = 0; i < name_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%s", prefix, names[i]);
    unsetenv(name);
  }
}

bool ms_preload_take_request(ms_preload_request *request) {
  if (!read_request(request)) return false;
  take_out();
  return true;
}

/// Returns the part of LD_PRELOAD that is not ours. A shell such as bash, which has a `setenv` of its own, still has the
/// libraries in its environment.
static const char *without_ours(const char *libraries) {
  size_t size = strlen(taken.libraries);
  bool has_ours = strncmp(libraries, taken.libraries, size) == 0 && (libraries[size] == ':' || !libraries[size]);
  if (!has_ours) return libraries;
  return libraries + size + (libraries[size] == ':');
}

char **ms_preload_environment(char *const *given) {
  if (taken.process == 0 || taken.process != getpid()) return NULL;
  size_t count = 0, used = 0;
  while (given && given[count]) count++;
  // The allocation contains the array, then the texts of LD_PRELOAD and of its previous value.
  const char *before = "";
  for (size_t i = 0; i < count; i++) {
    if (strncmp(given[i], preload, sizeof preload - 1) == 0) before = without_ours(given[i] + sizeof preload - 1);
  }
  size_t texts = 2 * strlen(before) + strlen(taken.libraries) + sizeof preload + sizeof "MAINSTAY_RUN_PRELOAD=" + 2;
  char **next = malloc((count + name_count + 3) * sizeof *next + texts);
  if (!next) return NULL;
  for (size_t i = 0; i < count; i++) {
    bool is_ours = strncmp(given[i], preload, sizeof preload - 1) == 0 || strncmp(given[i], prefix, sizeof prefix - 1) == 0;
    if (!is_ours) next[used++] = given[i];
  }
  for (size_t i = 0; i < name_count; i++) {
    if (taken.variables[i]) next[used++] = taken.variables[i];
  }
  char *text = (char *)(next + count + name_count + 3);
  next[used++] = text;
  text += sprintf(text, "%s%s%s%s", preload, taken.libraries, *before ? ":" : "", before) + 1;
  next[used++] = text;
  sprintf(text, "%sPRELOAD=%s", prefix, before);
  next[used] = NULL;
  return next;
}

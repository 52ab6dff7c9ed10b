// The same for a program that was not built with us: `crashscan run` has the loader load this in front of the C
// library, and says by the environment what is asked.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../calls.h"
#include "../executors.h"
#include "CRecorder.h"

static struct {
  ms_blocking_request request;
  ms_log *log;  // this library's own
  const char *path;
} preloaded;

static void say(const char *what, const char *more) {
  char line[512];
  int size = snprintf(line, sizeof line, "mainstay: %s%s\n", what, more);
  if (size > 0 && write(STDERR_FILENO, line, strnlen(line, sizeof line)) < 0) return;
}

static ms_log *open_log(const char *path) {
  ms_log_failure failure;
  ms_log *log = ms_log_open(
      &(ms_log_options){
          .path = path,
          .capacity = 4 << 20,
          .keep = 5,
          .stays = ms_walk_code_stays,
          .walk_engine = ms_walk_engine_in_use(),
          .walk_reason = ms_walk_engine_reason(),
          .queue_level = ms_queue_answer_level(),
          .queue_reason = ms_queue_fallback_reason(),
      },
      &failure);
  if (!log) say("the log cannot be opened: ", strerror(failure.error_number));
  return log;
}

/// Adds the prefixes of the names of event loops' threads, which commas separate.
static void add_loops(const char *list) {
  char *copy = list ? strdup(list) : NULL;
  for (char *rest = copy; rest;) {
    const char *prefix = strsep(&rest, ",");
    if (!ms_loop_threads_add(prefix)) say("--loops: no room for the prefix ", prefix);
  }
  free(copy);
}

/// What this process is to do, or NULL: those that it starts are none of ours. Takes it out of the environment.
static const char *take_request(void) {
  const char *process = getenv("MAINSTAY_RUN_PROCESS"), *path = getenv("MAINSTAY_RUN_LOG");
  const char *before = getenv("MAINSTAY_RUN_PRELOAD");
  if (!process || !path || strtol(process, NULL, 10) != getpid()) return NULL;
  preloaded.request.threshold_ns = strtoull(getenv("MAINSTAY_RUN_OVER") ?: "5000000", NULL, 10);
  preloaded.request.places = (uint32_t)strtoul(getenv("MAINSTAY_RUN_ON") ?: "7", NULL, 10);
  path = strdup(path);
  if (before && *before) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  add_loops(getenv("MAINSTAY_RUN_LOOPS"));
  const char *ours[] = {"PROCESS", "LOG", "PRELOAD", "OVER", "ON", "LOOPS"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    char name[32];
    snprintf(name, sizeof name, "MAINSTAY_RUN_%s", ours[i]);
    unsetenv(name);
  }
  return path;
}

static bool begins;

static void begin(void) {
  const char *reason = "";
  begins = true;
  if (!ms_blocking_begin(&preloaded.request, &reason)) say("calls that block are not looked at: ", reason);
  begins = false;
}

__attribute__((constructor)) static void load(void) {
  preloaded.path = take_request();
  if (!preloaded.path) return;
  ms_queue_start();
  ms_walk_start();
  preloaded.log = open_log(preloaded.path);
  preloaded.request.policies = MS_BLOCKING_RECORDS;
  preloaded.request.log = preloaded.log;
  preloaded.request.note = ms_blocking_note;
  begin();
  if (!ms_executors_exist()) {
    say("Swift's runtime is not found in this program: of what blocks only event loops are seen, by their names", "");
  }
}

__attribute__((destructor)) static void unload(void) {
  ms_blocking_end();
  if (!preloaded.log) return;
  ms_log_list_modules(preloaded.log);
  ms_log_mark_clean(preloaded.log);
}

/// A recorder of the program's own takes what is found, the newest of them; without a function, no longer.
MS_IN_FRONT void mainstay_blocking_taker_2(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *)) {
  if (!preloaded.path || (!note && preloaded.request.log != log)) return;
  preloaded.request.log = note ? log : preloaded.log;
  preloaded.request.note = note ? note : ms_blocking_note;
  begin();
  if (note) say("this program has a recorder: what blocks goes into its log", "");
}

/// The program has the same linked in, and asks it to look.
MS_IN_FRONT void mainstay_blocking_rest_1(void) {
  if (begins) return;
  preloaded.path = NULL;
  ms_blocking_end();
}

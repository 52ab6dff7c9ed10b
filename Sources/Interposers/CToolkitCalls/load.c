// Begins as the loader loads this: `crashscan run` says by the environment what is asked.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CRecorder.h"
#include "judge.h"
#include "list.h"
#include "owner.h"
#include "starts.h"
#include "tell.h"

static pid_t process;  // that is looked at; 0: none

/// Where this process is to record; NULL: it is none of ours. Takes the request out of the environment, unless those
/// that it starts are followed.
static const char *take_request(void) {
  const char *process = getenv("MAINSTAY_RUN_PROCESS"), *path = getenv("MAINSTAY_RUN_LOG");
  const char *before = getenv("MAINSTAY_RUN_PRELOAD");
  bool follows = getenv("MAINSTAY_RUN_CHILDREN") != NULL;
  if (!process || !path) return NULL;
  bool is_child = strtol(process, NULL, 10) != getpid();
  if (is_child && !follows) return NULL;
  char *own = NULL;
  if (!is_child) {
    own = strdup(path);
  } else {
    // Beside that of the first process: toolkit.log, toolkit-4711.log.
    const char *end = strrchr(path, '.');
    if (!end || strchr(end, '/')) end = path + strlen(path);
    if (asprintf(&own, "%.*s-%d%s", (int)(end - path), path, getpid(), end) < 0) own = NULL;
  }
  if (follows) return own;
  if (before && *before) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  const char *ours[] = {"PROCESS", "LOG", "PRELOAD", "POLICY", "ALLOW"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    char name[32];
    snprintf(name, sizeof name, "MAINSTAY_RUN_%s", ours[i]);
    unsetenv(name);
  }
  return own;
}

/// What is allowed, a line each; crashscan has read the file, and knows that each line is one.
static void allow(const char *lines) {
  char *kept = lines ? strdup(lines) : NULL, *rest = kept;
  for (char *line; kept && (line = strsep(&rest, "\n"));) {
    if (*line && !ms_toolkit_allow(line)) ms_toolkit_say("is not allowed: ", line);
  }
}

static void learn_processor(void) {
#if defined(__x86_64__)
  uint32_t a = 1, b, c = 0, d;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  ms_toolkit_has_xsave = c >> 27 & 1;
#endif
}

static void rest(void) {
  ms_toolkit_rest();
  ms_toolkit_starts_rest();
}

__attribute__((constructor(101))) static void load(void) {
  learn_processor();
  bool has_list = ms_toolkit_list_start();
  const char *policy = getenv("MAINSTAY_RUN_POLICY");
  ms_toolkit_policy wanted = policy ? (ms_toolkit_policy)strtol(policy, NULL, 10) : MS_TOOLKIT_RECORDS;
  const char *allowed = getenv("MAINSTAY_RUN_ALLOW");
  if (!getenv("MAINSTAY_RUN_LOG")) return;
  allow(allowed);
  bool is_first = getenv("MAINSTAY_RUN_PROCESS") && strtol(getenv("MAINSTAY_RUN_PROCESS"), NULL, 10) == getpid();
  const char *path = take_request();
  if (!path) return;
  if (!has_list) {
    return ms_toolkit_say("the loader did not load the functions that stand in front: nothing is looked at", "");
  }
  process = getpid();
  ms_queue_start();
  ms_walk_start();
  ms_toolkit_record_to(path);
  if (is_first) ms_toolkit_open_log();
  ms_toolkit_owners_start();
  ms_toolkit_starts_begin();
  // A child that goes on with the same code has no log of its own.
  pthread_atfork(NULL, NULL, rest);
  ms_toolkit_begin(wanted);
}

__attribute__((destructor)) static void unload(void) {
  if (process == getpid()) ms_toolkit_close_log();
}

// Times blocking calls in a program that was not built with Mainstay, and records its crash.

#include <stdlib.h>
#include <string.h>

#include "../blocking/calls.h"
#include "../blocking/executors.h"
#include "crashes.h"
#include "preload.h"

static struct {
  ms_blocking_request request;
  ms_log *log;  // opened by this library
  bool begins, is_asked, is_in_tests;
} preloaded;

/// Sets the name prefixes of event loops' threads from a comma-separated list. NULL keeps SwiftNIO's prefixes.
static void set_loops(const char *list) {
  if (list) ms_loop_threads_forget();
  char *copy = list ? strdup(list) : NULL;
  for (char *rest = copy; rest;) {
    const char *prefix = strsep(&rest, ",");
    if (!ms_loop_threads_add(prefix)) ms_preload_say("--loops: this prefix is ignored, because it is empty or there are too many prefixes: ", prefix);
  }
  free(copy);
}

static void begin(void) {
  const char *reason = "";
  preloaded.begins = true;
  if (!ms_blocking_begin(&preloaded.request, &reason)) ms_preload_say("blocking calls are not recorded: ", reason);
  preloaded.begins = false;
}

void ms_preload_begin(const ms_preload_request *request) {
  if (!request) return;
  preloaded.is_asked = true;
  preloaded.is_in_tests = request->is_in_tests;
  set_loops(request->loops);
  ms_queue_start();
  ms_walk_start();
  preloaded.log = ms_preload_open_log(request->log);
  preloaded.request = (ms_blocking_request){
      .threshold_ns = request->threshold_ns,
      .places = request->places,
      .policies = MS_BLOCKING_RECORDS,
      .log = preloaded.log,
      .note = ms_blocking_note,
  };
  begin();
  if (!ms_executors_exist()) {
    ms_preload_say("the Swift runtime was not found in this program: only calls on event loops, which thread names identify, are recorded", "");
  }
}

/// Another library records the crash of a test.
ms_log *ms_preload_log_of_crashes(void) { return preloaded.is_in_tests ? NULL : preloaded.log; }

void ms_preload_hand_over(void) { ms_preload_close_log(preloaded.log); }

void ms_preload_end(void) {
  ms_blocking_end();
  ms_preload_hand_over();
}

/// Sends findings to the program's recorder that registered last. A NULL function ends that.
MS_IN_FRONT void mainstay_blocking_taker_2(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *)) {
  if (!preloaded.is_asked || (!note && preloaded.request.log != log)) return;
  preloaded.request.log = note ? log : preloaded.log;
  preloaded.request.note = note ? note : ms_blocking_note;
  begin();
  if (note) ms_preload_say("this program has its own recorder: blocking calls are recorded in its log", "");
}

/// Stops this copy, because the program contains the same library and starts it.
MS_IN_FRONT void mainstay_blocking_rest_1(void) {
  if (preloaded.begins) return;
  preloaded.is_asked = false;
  ms_blocking_end();
}

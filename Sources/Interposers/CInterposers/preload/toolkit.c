// Checks the calls of a toolkit in a program that was not built with Mainstay.

#include <pthread.h>
#include <string.h>

#include "../toolkit/judge.h"
#include "../toolkit/list.h"
#include "../toolkit/owner.h"
#include "../toolkit/thread_starts.h"
#include "../toolkit/call_report.h"
#include "preload.h"

/// Allows the lines of a file, which crashscan has validated.
static void allow(const char *lines) {
  char *kept = lines ? strdup(lines) : NULL, *rest = kept;
  for (char *line; kept && (line = strsep(&rest, "\n"));) {
    if (*line && !ms_toolkit_allow(line)) ms_preload_say("--allow: this line is ignored, because it is invalid or there are too many lines: ", line);
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

void ms_preload_begin(const ms_preload_request *request) {
  // Needed even without a request, because the library's functions are interposed in any case.
  learn_processor();
  bool has_list = ms_toolkit_list_start();
  if (!request) return;
  allow(request->allowed);
  if (!has_list) {
    return ms_preload_say("the loader did not load the interposed functions: no calls are recorded", "");
  }
  ms_queue_start();
  ms_walk_start();
  ms_toolkit_record_to(request->log);
  if (!request->is_child) ms_toolkit_open_log();
  ms_toolkit_owners_start();
  ms_toolkit_starts_begin();
  // A forked child that does not execute another program has no log.
  pthread_atfork(NULL, NULL, rest);
  ms_toolkit_begin((ms_toolkit_policy)request->policy);
}

void ms_preload_hand_over(void) { ms_toolkit_close_log(); }

void ms_preload_end(void) { ms_toolkit_close_log(); }

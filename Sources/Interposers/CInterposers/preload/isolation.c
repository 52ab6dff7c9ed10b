// Records failed isolation checks in a program that was not built with Mainstay, instead of ending the program.

#include <stdlib.h>

#include "../isolation/soft_checks.h"
#include "preload.h"
#include "testing.h"

void ms_preload_begin(const ms_preload_request *request) {
  // `crashscan test` observes only test bundles, not the compilers that build them.
  if (!request || (getenv("MAINSTAY_RUN_BUNDLES") && !ms_is_test_bundle())) return;
  const char *reason = "";
  ms_queue_start();
  ms_walk_start();
  if (ms_soft_checks_begin(request->log, !request->is_child, &reason) || request->is_child) return;
  ms_preload_say("isolation checks still end the process: ", reason);
}

void ms_preload_hand_over(void) { ms_soft_checks_close_log(); }

void ms_preload_end(void) { ms_soft_checks_close_log(); }

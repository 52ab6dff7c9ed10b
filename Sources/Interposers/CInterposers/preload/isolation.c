// Records failed isolation checks in a program that was not built with Mainstay, instead of ending the program.

#include "../isolation/soft_checks.h"
#include "preload.h"

void ms_preload_begin(const ms_preload_request *request) {
  if (!request) return;
  const char *reason = "";
  ms_queue_start();
  ms_walk_start();
  if (ms_soft_checks_begin(request, &reason) || (request->is_child && !request->is_in_tests)) return;
  ms_preload_say("isolation checks still end the process: ", reason);
}

void ms_preload_hand_over(void) { ms_soft_checks_close_log(); }

void ms_preload_end(void) { ms_soft_checks_close_log(); }

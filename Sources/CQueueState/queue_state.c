#include "CQueueState.h"

#include <stddef.h>

extern struct dispatch_queue_s _dispatch_main_q __attribute__((weak));
extern void *dispatch_get_current_queue(void) __attribute__((weak));
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));

void ms_queue_start(void) {}

ms_queue_level ms_queue_answer_level(void) { return MS_QUEUE_CHAIN; }

const char *ms_queue_fallback_reason(void) { return "the exact check is not built in"; }

bool ms_queue_on(const void *queue) {
  return dispatch_get_current_queue && dispatch_get_current_queue() == queue;
}

bool ms_queue_on_main(void) { return ms_queue_on(&_dispatch_main_q); }

ms_queue_stamp ms_queue_stamp_here(void) {
  ms_queue_stamp stamp = {0, NULL, 0, ms_queue_on_main()};
  if (dispatch_get_current_queue) {
    void *queue = dispatch_get_current_queue();
    stamp.label = dispatch_queue_get_label(queue);
    stamp.serial = (uint64_t)(uintptr_t)queue;
  }
  return stamp;
}

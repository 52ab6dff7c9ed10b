#include <dlfcn.h>
#include <string.h>

#include "ms_blocking_crumbs.h"
#include "ms_queue.h"

void ms_blocking_note(ms_log *log, const ms_blocking_finding *finding) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_ERROR);
  if (thread == NULL) return;
  uint8_t *data = ms_log_data(thread);
  bool cut = false;
  uint32_t size = ms_data_integer(data, 0, MS_KEY_NANOSECONDS, strlen(MS_KEY_NANOSECONDS),
                                  (int64_t)finding->nanoseconds, &cut);
  size = ms_data_string(data, size, MS_KEY_EXECUTOR, strlen(MS_KEY_EXECUTOR), finding->executor,
                        strlen(finding->executor), &cut);
  if (finding->thread) {
    size = ms_data_integer(data, size, MS_KEY_THREAD, strlen(MS_KEY_THREAD), finding->thread, &cut);
    size = ms_data_string(data, size, MS_KEY_THREAD_NAME, strlen(MS_KEY_THREAD_NAME), finding->thread_name,
                          strlen(finding->thread_name), &cut);
  }
  ms_queue_stamp stamp = ms_queue_stamp_here();
  ms_crumb crumb = {
      .category = MS_WORD_BLOCKING,
      .category_size = strlen(MS_WORD_BLOCKING),
      .message = finding->call,
      .message_size = strlen(finding->call),
      .data = data,
      .data_size = size,
      .data_count = finding->thread ? 4 : 2,
      .kind = MS_KIND_ERROR,
      .level = 3,  // a warning
      .flags = stamp.onMain ? MS_CRUMB_ON_MAIN : 0,
      .queue_serial = stamp.serial,
      .queue_label = stamp.label,
      .frames = finding->frames,
      .frame_count = (uint16_t)finding->frame_count,
      .walk_end = (uint8_t)finding->walk_end,
  };
  ms_log_append(thread, &crumb);
  ms_log_leave(thread);
}

static void tell_preloaded(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *)) {
  ms_blocking_taker take = (ms_blocking_taker)dlsym(RTLD_DEFAULT, MS_BLOCKING_TAKER);
  if (take) take(log, note);
}

void ms_blocking_offer(ms_log *log) { tell_preloaded(log, ms_blocking_note); }
void ms_blocking_withdraw(ms_log *log) { tell_preloaded(log, NULL); }

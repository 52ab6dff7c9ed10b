#include <dlfcn.h>

#include "ms_blocking_crumbs.h"
#include "ms_crumb_builder.h"
#include "ms_log_words.h"
#include "ms_queue.h"
#include "dispositions.h"

void ms_blocking_note(ms_log *log, const ms_blocking_finding *finding) {
  ms_crumb_builder crumb = ms_crumb_begin(log, MS_KIND_ERROR, 3, MS_WORD_BLOCKING, finding->call);  // 3: a warning
  ms_crumb_add_integer(&crumb, MS_KEY_NANOSECONDS, (int64_t)finding->nanoseconds);
  ms_crumb_add_string(&crumb, MS_KEY_EXECUTOR, finding->executor);
  if (finding->thread) {
    ms_crumb_add_integer(&crumb, MS_KEY_THREAD, finding->thread);
    ms_crumb_add_string(&crumb, MS_KEY_THREAD_NAME, finding->thread_name);
  }
  ms_crumb_set_queue(&crumb, ms_queue_stamp_here());
  ms_crumb_set_stack(&crumb, finding->frames, finding->frame_count, finding->walk_end);
  ms_crumb_end(&crumb);
}

static void tell_preloaded(ms_log *log, void (*note)(ms_log *, const ms_blocking_finding *)) {
  ms_blocking_taker take = (ms_blocking_taker)dlsym(RTLD_DEFAULT, MS_BLOCKING_TAKER);
  if (take) take(log, note);
}

void ms_blocking_offer(ms_log *log) { tell_preloaded(log, ms_blocking_note); }
void ms_blocking_withdraw(ms_log *log) { tell_preloaded(log, NULL); }

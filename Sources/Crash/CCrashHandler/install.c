// Prepares for a crash. No function of this file runs in a signal handler.

#include <stdlib.h>
#include <unistd.h>

#include "CRecorder.h"
#include "crash.h"
#include "thread_list.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT,
#ifdef MS_IN_TESTS
                              SIGPIPE,  // the end of a test, as a rule; a service ignores the signal
#endif
};
enum { signal_count = sizeof signals / sizeof *signals };

static unsigned taken;  // a bit for each of `signals`

static bool hears_runtime;

/// Registers the delay of exits. Exit handlers run in reverse order of their registration, so that handlers
/// registered before this one are delayed, too.
static void register_exit(void) {
  static bool is_registered;
  if (!is_registered) is_registered = atexit(ms_crash_delay_exit) == 0;
}

// The log into which crashes are recorded; NULL while the handler is not installed.
static ms_log *recorded;

void ms_crash_install(const ms_crash_options *options) {
  ms_queue_start();  // a handler must not be the first to call this function
  ms_crash_find_sources();
  ms_uncaught_begin();
  ms_aborts_begin();
  if (!hears_runtime && options->hears_runtime) {
    hears_runtime = true;
    ms_runtime_words_begin(options->hears_runtime);
  }
  if (options->remembers_thrown) ms_thrown_begin();
  else ms_thrown_end();
  ms_crash_cover_thread();
  ms_walk_apart_prepare();
  ms_rehearse();
  ms_list_prepare();
  register_exit();
  ms_waits_set_limit(options->task_budget_ns);
  ms_crash_record_into(options->log, options->thread_budget_ns, getpid());
  if (recorded && recorded != options->log) ms_log_note_handler(recorded, MS_HANDLER_NONE);
  recorded = options->log;
  for (int i = 0; i < signal_count; i++) {
    if (taken & 1u << i || (signals[i] == SIGQUIT && !options->takes_quit)) continue;
    if (ms_signal_take(signals[i], MS_SIGNAL_CRASH, ms_crash_on_signal)) taken |= 1u << i;
  }
  if (taken) ms_log_note_handler(recorded, MS_HANDLER_INSTALLED);
  ms_log_note_facts(recorded);
}

void ms_crash_uninstall(void) {
  for (int i = 0; i < signal_count; i++) {
    if (taken & 1u << i) ms_signal_give_back(signals[i], MS_SIGNAL_CRASH);
  }
  taken = 0;
  if (recorded) ms_log_note_handler(recorded, MS_HANDLER_NONE);
  recorded = NULL;
  ms_crash_record_into(NULL, 0, 0);
  ms_list_end();
  ms_uncaught_end();
  ms_aborts_end();
  if (hears_runtime) ms_runtime_words_end();
  hears_runtime = false;
  ms_thrown_end();
}

// Puts the crash itself into the log: catch, append, hand on. docs/crash-capture.md explains how.
#ifndef MAINSTAY_CCRASHHANDLER_H
#define MAINSTAY_CCRASHHANDLER_H

#include "CBreadcrumbLog.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ms_log *log;
  uint64_t thread_budget_ns;  ///< how long the other threads' stacks may take; 0: they are left out
  bool takes_quit;            ///< SIGQUIT too
} ms_crash_options;

/// Records crashes into `options->log` from now on; a second call only changes where and how.
/// The log must not be freed before `ms_crash_uninstall`. Not signal-safe.
void ms_crash_install(const ms_crash_options *options);

/// Gives all signals back. Not signal-safe.
void ms_crash_uninstall(void);

/// Makes sure that the calling thread has an alternate stack, so that the end of its own one is
/// seen; every thread made by `pthread_create` has one already. False if there is no memory.
/// Not signal-safe.
bool ms_crash_cover_thread(void);

/// Where some thread is, for a log's crumb.
typedef struct {
  uintptr_t frames[MS_FRAME_LIMIT];
  uint32_t count;
  uint32_t end;
  uint64_t queue_serial;
  const char *queue_label;
  char name[16];
} ms_thread_sample;

/// Asks the thread of this process with kernel id `thread` where it is, and waits for the answer no
/// longer than `patience_ns`. Not signal-safe: one caller at a time.
bool ms_thread_ask(uint32_t thread, uint64_t patience_ns, ms_thread_sample *sample);

#ifdef __cplusplus
}
#endif
#endif

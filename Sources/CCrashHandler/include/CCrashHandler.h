// Puts the crash itself into the log: catch, append, hand on. docs/crash-capture.md explains how.
#ifndef MAINSTAY_CCRASHHANDLER_H
#define MAINSTAY_CCRASHHANDLER_H

#include "CBreadcrumbLog.h"
#include "CProcessWatch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ms_log *log;
  uint64_t thread_budget_ns;  ///< how long the other threads' stacks may take; 0: they are left out
  bool takes_quit;            ///< SIGQUIT too
  bool remembers_thrown;      ///< where each thread last threw a Swift error
  void (*hears_runtime)(const char *text);  ///< what Swift's runtime says on standard error; NULL: no
} ms_crash_options;

/// Records crashes into `options->log` from now on; a second call only changes where and how.
/// The log must not be freed before `ms_crash_uninstall`. Not signal-safe.
void ms_crash_install(const ms_crash_options *options);

/// Gives all signals back. Not signal-safe.
void ms_crash_uninstall(void);

/// Learns where the runtime keeps a task's name. To be called in a task of that name, before there
/// is a crash; nothing is learned where there is no task. Not signal-safe.
void ms_task_name_learn(const char *name);

/// Forgets what was learned unless it gives this name for the calling task; NULL: none at all.
/// Not signal-safe.
void ms_task_name_check(const char *name);

/// Learns from a child task where tasks keep their parents: called in one, once to learn and again to
/// check. Not signal-safe.
void ms_crash_learn_child(uintptr_t parent);

/// Begins to learn where the runtime keeps what a task waits for; false where it is linked into the
/// program. Not signal-safe; neither are the next ones.
bool ms_crash_waits_begin(void);

/// Learns from a task that waits: once to learn, for a continuation first, and again to check. `subject` is
/// what it waits for; NULL where that is not known.
void ms_crash_learn_wait(const void *task, ms_wait_kind kind, const void *subject);

/// Forgets what was learned if it takes this task, which runs, for one that waits.
void ms_crash_learn_runs(const void *task);

/// Begins to note each task where it begins to wait; false if it was not all learned.
bool ms_crash_waits_note(void);

/// Ends both.
void ms_crash_waits_end(void);

/// Makes sure that the calling thread has an alternate stack, so that the end of its own one is
/// seen; every thread made by `pthread_create` has one already. False if there is no memory.
/// Not signal-safe.
bool ms_crash_cover_thread(void);

/// A thread that leaves a crumb when the main queue stops answering, and one when it answers again. Where
/// tasks that wait are noted, it lists them, then and when the process takes long to end after it was asked
/// to.
typedef struct ms_hang_watch ms_hang_watch;

/// Begins to watch once the main queue has answered for the first time. NULL without libdispatch,
/// or if there is no thread to be had. With a threshold of 0 the main queue is not watched, only the rest.
/// Not signal-safe.
ms_hang_watch *ms_hang_watch_begin(ms_log *log, uint64_t threshold_ns);

/// Whether the main queue has answered a watch once, so that a hang is seen from now on.
/// Signal safety: reads one atomic.
bool ms_hang_watch_is_armed(void);

/// Ends the thread. Not signal-safe.
void ms_hang_watch_end(ms_hang_watch *watch);

#ifdef __cplusplus
}
#endif
#endif

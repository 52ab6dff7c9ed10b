// Puts the crash itself into the log: catch, append, hand on. docs/internals/crash-capture.md explains how.
#ifndef MAINSTAY_CCRASHHANDLER_H
#define MAINSTAY_CCRASHHANDLER_H

#include "CRecorder.h"

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

/// Learns the location of a task's name in the runtime's memory. Call it in a task of that name, before a crash;
/// outside tasks it has no effect. Not signal-safe.
void ms_task_name_learn(const char *name);

/// Discards the learned location unless it yields this name for the calling task; NULL means that the task has no
/// name. Not signal-safe.
void ms_task_name_check(const char *name);

/// Begins to learn the location of the runtime's record of a wait; false if the runtime is linked into the program.
/// Call `ms_wait_learn` next; `ms_waiting_end` ends it. Not signal-safe.
bool ms_crash_waits_begin(void);

/// Begins to note each task where it begins to wait; false if it was not all learned.
/// Not signal-safe.
bool ms_crash_waits_note(void);

/// Makes sure that the calling thread has an alternate stack, so that the end of its own one is
/// seen; every thread made by `pthread_create` has one already. False if there is no memory.
/// Not signal-safe.
bool ms_crash_cover_thread(void);

/// The kinds of watched executors: each runs blocks, and so can be sent a beat.
typedef enum {
  MS_WATCHED_MAIN_QUEUE = 0,
  MS_WATCHED_POOL = 1,
  MS_WATCHED_QUEUE = 2,
  MS_WATCHED_ACTOR = 3,
  MS_WATCHED_LOOP = 4,
} ms_watched_kind;

/// The functions of a watch's owner: `ask` sends a beat, which the executor passes to `ms_watched_come`; `hold` and
/// `let_go` retain and release the context. The watch's thread calls them; they must not block.
typedef struct {
  void (*ask)(void *context, uint64_t beat);
  void (*hold)(void *context);
  void (*let_go)(void *context);
} ms_watched_calls;

/// Watches one more executor, once there is a thread that watches: 0 if 26 are watched already. Not signal-safe;
/// neither is the next.
uint64_t ms_watched_add(ms_watched_kind kind, const char *name, uint64_t threshold_ns,
                        const ms_watched_calls *calls, void *context);

/// Ends that; a beat that still comes does no harm.
void ms_watched_remove(uint64_t watch);

/// Whether anything was added that is still watched. Not signal-safe.
bool ms_watched_others(void);

/// A beat has come. To be called on the executor that was asked. Not signal-safe.
void ms_watched_come(uint64_t beat);

/// Is told of each hang that was recorded, and of its end, by the watch's own thread; it must not wait.
typedef void (*ms_hang_told)(const char *executor, const char *name, uint64_t lasted_ns,
                             bool has_ended);

/// Registers a listener for hangs.
void ms_hang_tell(ms_hang_told told);

/// Hands a beat to the pool of this priority.
typedef void (*ms_pool_ask)(uint8_t priority, uint64_t beat);

/// A thread that records a crumb when an executor stops answering, and another when it answers again. If waiting
/// tasks are tracked, it lists them then, and when the process takes long to exit after a request to end.
typedef struct ms_hang_watch ms_hang_watch;

/// Begins to watch the main queue once it has answered for the first time, the pools of Swift's tasks, and
/// whatever was added; and event loops whose threads have SwiftNIO's names, unless a loop was added. NULL if no thread can
/// be created. With a threshold of 0 the main queue, pools or loops are not watched. Not signal-safe.
ms_hang_watch *ms_hang_watch_begin(ms_log *log, uint64_t main_threshold_ns,
                                   uint64_t pool_threshold_ns, uint64_t loop_threshold_ns,
                                   ms_pool_ask ask_pool);

/// Lists the tasks that wait, where they are noted, when a continuation was lost: the task that waits for it is among them.
/// At most eight times in a process. Not signal-safe.
void ms_leave_waits_of_loss(ms_log *log);

/// Whether the main queue has answered a watch once, so that a hang is seen from now on.
/// Signal safety: reads one atomic.
bool ms_hang_watch_is_armed(void);

/// How many beats have been asked for in this process. Signal safety: reads atomics.
uint64_t ms_hang_watch_beats(void);

/// Ends the thread. Not signal-safe.
void ms_hang_watch_end(ms_hang_watch *watch);

#ifdef __cplusplus
}
#endif
#endif

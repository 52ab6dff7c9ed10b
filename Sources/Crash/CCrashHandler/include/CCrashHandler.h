// Records crashes in the log: catches the signal, appends the records, forwards the signal. See
// docs/internals/crash-capture.md.
#ifndef MAINSTAY_CCRASHHANDLER_H
#define MAINSTAY_CCRASHHANDLER_H

#include "CRecorder.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ms_log *log;
  uint64_t thread_budget_ns;  ///< time limit for the other threads' stacks; 0 omits these threads
  uint64_t task_budget_ns;    ///< time limit for the search for waiting tasks; 0 omits these tasks
  bool takes_quit;            ///< true if SIGQUIT is captured too
  bool remembers_thrown;      ///< true if the last throw of a Swift error is recorded for each thread
  void (*hears_runtime)(const char *text);  ///< receives messages of Swift's runtime on standard error; NULL: disabled
} ms_crash_options;

/// Starts to record crashes into `options->log`; a further call changes the log and the options. The log must not be
/// freed before `ms_crash_uninstall`. Not signal-safe.
void ms_crash_install(const ms_crash_options *options);

/// Restores the host's signal handlers. Not signal-safe.
void ms_crash_uninstall(void);

/// Learns where the runtime stores the name of a task. Call this function before a crash, in a task of that name;
/// outside tasks the call has no effect. Not signal-safe.
void ms_task_name_learn(const char *name);

/// Discards the learned location unless the location yields this name for the calling task; NULL means that the task
/// has no name. Not signal-safe.
void ms_task_name_check(const char *name);

/// Gives an alternate stack to the calling thread and to every thread that is created afterwards. A constructor does so
/// too, except in the library that `crashscan test` preloads. Not signal-safe.
void ms_crash_cover_threads(void);

/// Gives the calling thread an alternate stack, so that an overflow of its stack can be recorded. Threads created by
/// `pthread_create` already have one. Returns false if there is no memory. Not signal-safe.
bool ms_crash_cover_thread(void);

/// The kinds of watched executors. Each kind runs closures, and can therefore be sent a beat.
typedef enum {
  MS_WATCHED_MAIN_QUEUE = 0,
  MS_WATCHED_POOL = 1,
  MS_WATCHED_QUEUE = 2,
  MS_WATCHED_ACTOR = 3,
  MS_WATCHED_LOOP = 4,
} ms_watched_kind;

/// The callbacks of a watch's owner: `ask` sends a beat, which the executor passes to `ms_watched_come`; `hold` and
/// `let_go` retain and release the context. The callbacks must not block.
typedef struct {
  void (*ask)(void *context, uint64_t beat);
  void (*hold)(void *context);
  void (*let_go)(void *context);
} ms_watched_calls;

/// Watches an executor while a watch thread exists. Returns 0 if 26 executors are watched already. Not signal-safe.
uint64_t ms_watched_add(ms_watched_kind kind, const char *name, uint64_t threshold_ns,
                        const ms_watched_calls *calls, void *context);

/// Ends a watch; a beat that arrives later is ignored. Not signal-safe.
void ms_watched_remove(uint64_t watch);

/// True if an executor of `ms_watched_add` is still watched. Not signal-safe.
bool ms_watched_others(void);

/// Reports that a beat has arrived. Must be called on the executor that received the beat. Not signal-safe.
void ms_watched_come(uint64_t beat);

/// A listener that the watch thread calls for each recorded hang and for its end; it must not block.
typedef void (*ms_hang_told)(const char *executor, const char *name, uint64_t lasted_ns,
                             bool has_ended);

/// Sets the listener for hangs.
void ms_hang_tell(ms_hang_told told);

/// A listener that the watch thread calls for the answer to each beat; it must not block.
typedef void (*ms_answer_told)(const char *executor, const char *name, uint64_t took_ns);

/// Sets the listener for answers.
void ms_answers_tell(ms_answer_told told);

/// A function that sends a beat to the pool of this priority.
typedef void (*ms_pool_ask)(uint8_t priority, uint64_t beat);

/// A thread that records a crumb when an executor stops answering, and another when the executor answers again. The
/// thread lists the waiting tasks at a hang, after the loss of a continuation, and when the process takes long to exit
/// after a request to end, or to answer a request.
typedef struct ms_hang_watch ms_hang_watch;

/// Sets the age of a request in flight from which the watch thread lists standing threads and waiting tasks, in
/// nanoseconds; 0 disables these lists.
void ms_requests_set_limit(uint64_t limit_ns);

/// Starts a watch of the main queue (from its first answer on), of the pools of Swift's tasks, and of all added
/// executors. Threads with SwiftNIO's names are watched as event loops, unless a loop was added. A threshold of 0
/// disables the watch of the main queue, the pools or the loops. Returns NULL if no thread can be created. Not
/// signal-safe.
ms_hang_watch *ms_hang_watch_begin(ms_log *log, uint64_t main_threshold_ns,
                                   uint64_t pool_threshold_ns, uint64_t loop_threshold_ns,
                                   ms_pool_ask ask_pool);

/// Reports the loss of a continuation: the watch thread lists the waiting tasks, which include the task that waits for
/// that continuation. The first eight losses wake the watch thread; later losses wait for its next check. Signal safety:
/// safe.
void ms_waits_lost_one(void);

/// True if the main queue has answered a beat, so that its hangs are detected. Signal safety: reads one atomic.
bool ms_hang_watch_is_armed(void);

/// The number of beats that were sent in this process. Signal safety: reads atomics.
uint64_t ms_hang_watch_beats(void);

/// Ends the watch thread. Not signal-safe.
void ms_hang_watch_end(ms_hang_watch *watch);

#ifdef __cplusplus
}
#endif
#endif

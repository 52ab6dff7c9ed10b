// Declarations shared by the files of the handler.
#ifndef MAINSTAY_CRASH_H
#define MAINSTAY_CRASH_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "CCrashHandler.h"
#include "CRecorder.h"
#include "fault_recovery.h"

/// A crash that is being recorded. Only the crashed thread accesses the crash.
typedef struct {
  ms_log *log;
  const siginfo_t *info;
  const ucontext_t *context;
  uint64_t thread_budget_ns;
  uint64_t hold_ns;  // time limit for the steps during which other threads are held
  uint32_t number;
  uint32_t thread;  // kernel id
  int signal;
  uintptr_t frame;  // frame of our handler; the host's handlers have frames at lower addresses
  uint32_t threads_found;
  uint32_t threads_walked;
  bool out_of_time;
  bool list_incomplete;
} ms_crash;

/// The signal that asks a thread for its stack. Dispatch's workers block every other signal except faults and
/// SIGPIPE.
enum { ms_asking_signal = SIGPROF };

/// The layout of glibc's last abort message.
typedef struct {
  unsigned size;
  char text[];
} ms_abort_message;

#define MS_SWIFT_CALL __attribute__((swiftcall))

/// The variables and functions of the runtimes that are read in a crash, looked up beforehand; NULL if the process
/// has no such runtime.
typedef struct {
  const char **swift_text;
  ms_abort_message **c_library_text;
  MS_SWIFT_CALL void *(*current_task)(void);
  MS_SWIFT_CALL uint64_t (*task_id)(void *job);
  MS_SWIFT_CALL size_t (*all_tasks)(void);  // sums 64 counters; missing in runtimes up to 6.3
} ms_crash_sources;

extern ms_crash_sources ms_sources;

/// The monotonic time in nanoseconds. Signal safety: safe.
static inline uint64_t ms_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// Sleeps for less than a second. The C library's `nanosleep` is a cancellation point. Signal safety: safe.
static inline void ms_sleep(uint64_t nanoseconds) {
  struct timespec time = {0, (long)nanoseconds};
  syscall(SYS_nanosleep, &time, NULL);
}

/// The sum of two time limits. Signal safety: safe.
static inline uint64_t ms_sum_of_limits(uint64_t one, uint64_t other) {
  return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

// routine_faults.c
/// Counts a fault at `instruction`, before the host handles it. Returns true if the host has recovered at
/// `instruction` so often that such faults are routine. Signal safety: safe.
bool ms_is_routine(uintptr_t instruction);
/// Resets the count of `instruction`, because the host did not recover. Signal safety: safe.
void ms_is_no_routine(uintptr_t instruction);

// work_stack.c
typedef enum {
  MS_WORKER_CRASHED,  ///< the thread whose crash is recorded; only one exists at a time
  MS_WORKER_OTHER,
} ms_worker;

/// Runs `work` on a stack with enough space: the current stack, or a reserved stack. Returns false if no stack is
/// available. `work` must not leave by a long jump. Signal safety: safe, if `work` is.
bool ms_with_room(const ucontext_t *context, ms_worker worker, void (*work)(void *),
                  void *argument);

// install.c
void ms_crash_find_sources(void);  // not signal-safe

// crash_handler.c. Signal safety: safe, if the host's handlers are.
bool ms_crash_on_signal(int signal, siginfo_t *info, void *context);
/// Delays the exit of the process for a limited time while another thread's crash is recorded, so that the process
/// dies of the crash instead. Signal safety: safe.
void ms_crash_delay_exit(void);
/// Sets the log for crashes; NULL disables recording. Signal safety: safe.
void ms_crash_record_into(ms_log *log, uint64_t thread_budget_ns, int process);

// registers.c. Signal safety of all: safe.
uint32_t ms_registers(const ucontext_t *context, uint64_t *values);
uintptr_t ms_instruction(const ucontext_t *context);
uintptr_t ms_stack_pointer(const ucontext_t *context);
/// The context before the last call, whose return address is still on top of the stack.
ucontext_t ms_before_call(const ucontext_t *context);
uint32_t ms_machine_here(void);

// thread_record.c
typedef enum { MS_WITHOUT_QUEUE, MS_WITH_QUEUE } ms_queue_interest;

/// Captures the stack from `context` and records the calling thread. Signal safety: safe; may fault if the stack is
/// corrupt.
void ms_record_thread(ms_log *log, uint32_t crash, uint32_t thread, const ucontext_t *context,
                      bool crashed, ms_stack_source source, ms_queue_interest queue);
/// Records the calling thread, which has crashed, with its instruction pointer alone. Signal safety: safe.
void ms_record_instruction(ms_log *log, uint32_t crash, uint32_t thread, const ucontext_t *context);
/// Captures the stack of the calling thread, which has not crashed, from `context`. Signal safety: safe; may fault if
/// the stack is corrupt.
uint32_t ms_walk_thread(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                        ms_walk_end *end);
/// Records the calling thread without its stack. Signal safety: safe.
void ms_record_own_name(ms_log *log, uint32_t crash, uint32_t thread, ms_stack_source why);
/// Records a thread that did not report its stack. Signal safety: safe.
void ms_record_silent_thread(ms_log *log, uint32_t crash, uint32_t thread, const char *name,
                             ms_stack_source why);

// forked_walk.c
enum { MS_CRASHED_FRAMES = MS_CRASH_FRAME_LIMIT };
void ms_walk_apart_prepare(void);  // not signal-safe
/// Captures a stack by libunwind in a forked copy of the process; returns 0 if the walk does not end. Signal safety:
/// safe.
uint32_t ms_walk_apart(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                       ms_walk_end *end);

// crash_details.c: the steps after the stack. Signal safety of all: safe; may fault.
void ms_record_registers(ms_crash *crash);
void ms_record_code(ms_crash *crash);
void ms_record_stack_bytes(ms_crash *crash);
void ms_record_texts(ms_crash *crash);

// task.c
void ms_record_task(ms_crash *crash);  // Signal safety: safe; may fault

// crumb_context.c
void ms_record_crumb_context(ms_crash *crash);  // Signal safety: safe; may fault

/// Records the number of tasks; no record if the runtime does not count tasks.
void ms_record_all_tasks(ms_crash *crash);  // Signal safety: safe; may fault
/// Records the task that the calling thread runs, with its executor and priority. Signal safety of both functions:
/// safe; may fault.
void ms_record_task_place(ms_log *log, uint32_t crash, uint32_t thread);
void ms_record_own_task_place(ms_crash *crash);

// task_name.c
void ms_record_task_name(ms_crash *crash);  // Signal safety: safe; may fault

// waiting_tasks.c
void ms_record_waits(ms_crash *crash);  // Signal safety: safe; may fault
/// Sets the time limit for a search of the memory for tasks; 0 disables the search. Not signal-safe.
void ms_waits_set_limit(uint64_t limit_ns);
/// The time limit for a search; 0 without a search. Signal safety: safe.
uint64_t ms_waits_limit(void);

// watch_calls.c
/// Wakes the watch thread, if there is one, for a check at once. Signal safety: safe.
void ms_watch_call(void);
/// Waits for `nanoseconds`, or until a call that `calls_seen` does not count yet. The watch thread only.
void ms_watch_wait(uint64_t nanoseconds, uint32_t *calls_seen);

// wait_crumbs.c
/// Writes crumbs of the waiting tasks; `during` names the event that caused the listing. Not signal-safe: the watch
/// thread only, as for the next two functions.
void ms_leave_waits(ms_log *log, const char *during);
/// The same during a hang. If hangs follow one another, listings use at most a twentieth of a processor.
void ms_leave_waits_of_hang(ms_log *log);
/// The same after `ms_waits_lost_one`, for at most eight losses. Returns true if the next call is due soon.
bool ms_leave_waits_of_losses(ms_log *log);

/// A sample of a thread for a crumb: its stack, its queue and its task.
typedef struct {
  uintptr_t frames[MS_FRAME_LIMIT];
  uint32_t count;
  uint32_t end;
  uint64_t queue_serial;
  const char *queue_label;
  const void *wanted;  ///< a queue to look for, set by the caller; NULL for none
  bool is_on_wanted;   ///< true if the thread runs work of `wanted`, or of a queue that targets it
  char queue[48];      ///< a copy of the label of the thread's queue, if `wanted` is set
  uint64_t task;       ///< the id of the running task; 0 without a task
  uintptr_t executor;  ///< the executor of the actor that runs the task; 0 without an actor
  bool is_cancelled;   ///< true if the running task is cancelled
  char name[16];
} ms_thread_sample;

// thrown_errors.c
void ms_thrown_begin(void);                 // not signal-safe
void ms_thrown_end(void);                   // not signal-safe
void ms_record_thrown(ms_crash *crash);     // Signal safety: safe

// other_threads.c
/// Samples the thread with kernel id `thread`, and waits at most `patience_ns` for its answer. Returns false without
/// an answer, and while a crash samples threads. Not signal-safe: one caller at a time.
bool ms_thread_ask(uint32_t thread, uint64_t patience_ns, ms_thread_sample *sample);
/// The number of calls of `ms_thread_ask`, for its caller.
uint32_t ms_thread_asks(void);
void ms_record_threads(ms_crash *crash);  // Signal safety: safe
/// Captures the calling thread's stack without output, including a recovery from a fault, so that the dynamic linker
/// binds all functions now: lazy binding in a handler needs two kilobytes of stack. Not signal-safe.
void ms_rehearse(void);
/// Records the calling thread as part of another crash that is being recorded. If a fault occurs on the thread's
/// stack, the thread is recorded without its stack. Signal safety: safe.
void ms_record_self(ms_log *log, uint32_t crash, uint32_t thread, const void *context,
                    bool crashed);
/// Runs `work`. Returns false if a fault ended `work` early. Signal safety: safe, if `work` is.
bool ms_if_possible(void (*work)(void *), void *argument);
/// Jumps to this thread's recovery point if the thread faulted while it captured its own stack; otherwise returns.
/// Signal safety: safe.
void ms_leave_own_stack(void);

// held_threads.c. Signal safety of all: safe.
/// Enables `ms_hold` until the process dies, or until the recording exceeds `budget_ns` by some seconds.
void ms_hold_begin(uint64_t budget_ns, uint32_t threads);
/// Releases all held threads, because the process continues.
void ms_hold_end(void);
/// Blocks the calling thread in its handler, unless the thread is exempt.
void ms_hold(void);
/// Exempts the calling thread from `ms_hold`, for a crash that waits for the recording of another thread's crash.
void ms_hold_exempt(bool exempt);

// uncaught_exception.cpp
void ms_uncaught_begin(void);  // not signal-safe
void ms_uncaught_end(void);    // not signal-safe
/// The type of the exception that ends the calling thread; NULL if there is no exception. Signal safety: safe.
const char *ms_uncaught_type(void);
const char *ms_uncaught_text(void);

#endif

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

/// A crash while it is recorded: only the crashed thread touches it.
typedef struct {
  ms_log *log;
  const siginfo_t *info;
  const ucontext_t *context;
  uint64_t thread_budget_ns;
  uint32_t number;
  uint32_t thread;  // kernel id
  int signal;
  uintptr_t frame;  // of our handler: what it was handed to lies below
  uint32_t threads_found;
  uint32_t threads_walked;
  bool out_of_time;
  bool list_incomplete;
} ms_crash;

/// The signal by which threads are asked for their stacks. Dispatch's workers block every other one
/// that does not mean a fault or a broken pipe.
enum { ms_asking_signal = SIGPROF };

/// glibc's record of its last message.
typedef struct {
  unsigned size;
  char text[];
} ms_abort_message;

#define MS_SWIFT_CALL __attribute__((swiftcall))

/// The variables and functions of the runtimes that a crash reads, looked up before a crash. NULL if the process has
/// no such runtime.
typedef struct {
  const char **swift_text;
  ms_abort_message **c_library_text;
  MS_SWIFT_CALL void *(*current_task)(void);
  MS_SWIFT_CALL uint64_t (*task_id)(void *job);
  MS_SWIFT_CALL size_t (*all_tasks)(void);  // adds up 64 numbers; no runtime up to 6.3 has it
} ms_crash_sources;

extern ms_crash_sources ms_sources;

/// Less than a second. The C library's own is a cancellation point. Signal safety: safe.
static inline void ms_sleep(uint64_t nanoseconds) {
  struct timespec time = {0, (long)nanoseconds};
  syscall(SYS_nanosleep, &time, NULL);
}

// routine_faults.c
/// Notes that the host is asked to recover from a fault at `instruction`: true if it has been so often
/// that this is its way to work. Signal safety: safe.
bool ms_is_routine(uintptr_t instruction);
/// The host has not recovered. Signal safety: safe.
void ms_is_no_routine(uintptr_t instruction);

// work_stack.c
typedef enum {
  MS_WORKER_CRASHED,  ///< the thread whose crash is recorded: there is one at a time
  MS_WORKER_OTHER,
} ms_worker;

/// Runs `work` on a stack with enough space: the current one, or one of ours. Returns false if no stack is available.
/// `work` must not leave by a long jump. Signal safety: safe, if `work` is.
bool ms_with_room(const ucontext_t *context, ms_worker worker, void (*work)(void *),
                  void *argument);

// install.c
void ms_crash_find_sources(void);  // not signal-safe

// crash_handler.c. Signal safety: safe, as far as the host's own handlers are.
bool ms_crash_on_signal(int signal, siginfo_t *info, void *context);
/// Waits while another thread's crash is recorded, though not for ever: the process is about to exit, and is to die of
/// the crash instead. Signal safety: safe.
void ms_crash_delay_exit(void);
/// Sets the log for crashes; NULL records none. Signal safety: safe.
void ms_crash_record_into(ms_log *log, uint64_t thread_budget_ns, int process);

// registers.c. Signal safety of all: safe.
uint32_t ms_registers(const ucontext_t *context, uint64_t *values);
uintptr_t ms_instruction(const ucontext_t *context);
uintptr_t ms_stack_pointer(const ucontext_t *context);
/// The context as it was before the last call, whose return address still lies on top of the stack.
ucontext_t ms_before_call(const ucontext_t *context);
uint32_t ms_machine_here(void);

// thread_record.c
typedef enum { MS_WITHOUT_QUEUE, MS_WITH_QUEUE } ms_queue_interest;

/// Walks from `context` and writes down the calling thread. Signal safety: safe; may fault where
/// the stack is broken.
void ms_record_thread(ms_log *log, uint32_t crash, uint32_t thread, const ucontext_t *context,
                      bool crashed, ms_stack_source source, ms_queue_interest queue);
/// Writes down the calling thread, which has crashed, with the instruction alone. Signal safety: safe.
void ms_record_instruction(ms_log *log, uint32_t crash, uint32_t thread, const ucontext_t *context);
/// Walks the calling thread, which has not crashed, from `context`. Signal safety: as above.
uint32_t ms_walk_thread(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                        ms_walk_end *end);
/// Writes down the calling thread without its stack. Signal safety: safe.
void ms_record_own_name(ms_log *log, uint32_t crash, uint32_t thread, ms_stack_source why);
/// Writes down a thread that could not be asked. Signal safety: safe.
void ms_record_silent_thread(ms_log *log, uint32_t crash, uint32_t thread, const char *name,
                             ms_stack_source why);

// forked_walk.c
enum { MS_CRASHED_FRAMES = MS_CRASH_FRAME_LIMIT };
void ms_walk_apart_prepare(void);  // not signal-safe
/// As `ms_walk_context`, by libunwind in a copy of the process; no frames if that does not end.
/// Signal safety: safe.
uint32_t ms_walk_apart(const ucontext_t *context, uintptr_t *frames, uint32_t capacity,
                       ms_walk_end *end);

// crash_details.c: the steps after the stack. Signal safety of all: safe; they may fault.
void ms_record_registers(ms_crash *crash);
void ms_record_code(ms_crash *crash);
void ms_record_stack_bytes(ms_crash *crash);
void ms_record_texts(ms_crash *crash);

// task.c
void ms_record_task(ms_crash *crash);  // Signal safety: safe; may fault

// crumb_context.c
void ms_record_crumb_context(ms_crash *crash);  // Signal safety: safe; may fault

/// How many tasks there are, where the runtime counts them.
void ms_record_all_tasks(ms_crash *crash);  // Signal safety: safe; may fault
/// Records the task that the calling thread runs: its parent and its executor. Signal safety of both: safe; they may
/// fault.
void ms_record_task_place(ms_log *log, uint32_t crash, uint32_t thread);
void ms_record_own_task_place(ms_crash *crash);

// task_name.c
void ms_record_task_name(ms_crash *crash);  // Signal safety: safe; may fault

// waiting_tasks.c
void ms_record_waits(ms_crash *crash);  // Signal safety: safe; may fault

// wait_crumbs.c
/// Leaves crumbs of the tasks that wait, as seen while something went on. Not
/// signal-safe: one caller at a time.
void ms_leave_waits(ms_log *log, const char *during);
/// Makes room for more tasks where it gets scarce. Not signal-safe: one caller at a time.
void ms_tidy_waits(void);

/// The position of a thread, for a crumb.
typedef struct {
  uintptr_t frames[MS_FRAME_LIMIT];
  uint32_t count;
  uint32_t end;
  uint64_t queue_serial;
  const char *queue_label;
  const void *wanted;  ///< a queue; given by who asks
  bool is_on_wanted;   ///< whether the thread works for it, or for what targets it
  char queue[48];      ///< where one was wanted: the label of the queue it is on
  uint64_t task;       ///< the id of the task that it runs; 0: none
  uintptr_t executor;  ///< of the actor whose task that is; 0: of none
  char name[16];
} ms_thread_sample;

// thrown_errors.c
void ms_thrown_begin(void);                 // not signal-safe
void ms_thrown_end(void);                   // not signal-safe
void ms_record_thrown(ms_crash *crash);     // Signal safety: safe

// other_threads.c
/// Asks the thread of this process with kernel id `thread` where it is, and waits for the answer no
/// longer than `patience_ns`. Not signal-safe: one caller at a time; false too while a crash asks.
bool ms_thread_ask(uint32_t thread, uint64_t patience_ns, ms_thread_sample *sample);
void ms_record_threads(ms_crash *crash);  // Signal safety: safe
/// Runs a stack capture of the calling thread without output, including a recovery from a fault, so that lazy binding
/// of functions happens now: in a handler it would need two kilobytes of stack. Not signal-safe.
void ms_rehearse(void);
/// Records the calling thread, whose crash is not the one that is being recorded. If a fault occurs on its stack,
/// that is recorded instead. Signal safety: safe.
void ms_record_self(ms_log *log, uint32_t crash, uint32_t thread, const void *context,
                    bool crashed);
/// Runs `work`. Returns false if a fault ended it early. Signal safety: safe, if `work` is.
bool ms_if_possible(void (*work)(void *), void *argument);
/// Does not return if this thread met a fault while it told its stack for another's crash, or a watch.
/// Signal safety: safe.
void ms_leave_own_stack(void);

// held_threads.c. Signal safety of all: safe.
/// From now on `ms_hold` holds: until the process dies, or the recording takes longer than `budget_ns` and some seconds.
void ms_hold_begin(uint64_t budget_ns, uint32_t threads);
/// Lets all threads go: the process lives on.
void ms_hold_end(void);
/// Keeps the calling thread in its handler, unless it is exempt.
void ms_hold(void);
/// Whether `ms_hold` lets the calling thread go from now on: in its own crash, which waits for another thread's.
void ms_hold_exempt(bool exempt);

// uncaught_exception.cpp
void ms_uncaught_begin(void);  // not signal-safe
void ms_uncaught_end(void);    // not signal-safe
/// The type of the exception that ends the calling thread; NULL if there is no exception. Signal safety: safe.
const char *ms_uncaught_type(void);
const char *ms_uncaught_text(void);

#endif

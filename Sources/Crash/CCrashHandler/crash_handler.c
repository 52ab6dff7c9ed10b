// Catches every fatal signal, records the crash in the log, and forwards the signal.
//
// The most valuable facts are recorded first: the signal, then the stack of the crashed thread, then all others. A
// step that faults on a corrupt stack or heap is abandoned, and the next step runs.

#include <errno.h>
#include <string.h>

#include "CRecorder.h"
#include "crash.h"

static ms_log *_Atomic recording_log;
static uint64_t thread_budget;
static pid_t process;

// The thread whose crash is recorded, in the lower half, and a counter of owners in the upper half, so that a new
// crash of the thread is not taken for the previous crash. 0 without a crash.
static _Atomic uint64_t owner;
static _Atomic uint32_t ownerships;
static ms_crash crash;  // the owner's crash
static _Atomic uint32_t current;  // the number of `crash` once other threads may add records; else 0
static uint32_t crashes;

// The activity of the owner. After a fault in a step, the owner continues at `recovery`.
typedef enum { HANDING_ON, HANDED_ON, TAKING_STEP, NOTING_FAULT } owner_activity;
static _Atomic owner_activity activity;  // atomic, because other threads read it

static ms_place recovery;
static volatile sig_atomic_t current_step;
static volatile sig_atomic_t faults_met;
enum { most_faults = 6 };  // after so many faults, the remaining steps are skipped

static bool hands_on(void) {
  owner_activity now = activity;
  return now == HANDING_ON || now == HANDED_ON;
}

static void record_signal(ms_log *log, uint32_t number, ms_crash_role role, uint32_t thread,
                          int signal, const siginfo_t *info) {
  ms_crash_record *record = ms_crash_begin(log, MS_RECORD_CRASH, number, sizeof *record);
  if (record == NULL) return;
  record->ticks = ms_log_now(log);
  record->signal = signal;
  record->code = info->si_code;
  record->kernel_id = thread;
  record->thread = ms_crash_ordinal(log);
  record->role = (uint8_t)role;
  record->step = role == MS_CRASH_NESTED ? (uint8_t)current_step : 0;
  if (info->si_code <= 0) {
    record->flags |= MS_CRASH_SENT;
    record->sender_process = (uint32_t)info->si_pid;
    record->sender_user = info->si_uid;
  } else {
    record->address = signal == SIGSYS ? (uint64_t)info->si_syscall : (uint64_t)info->si_addr;
  }
  ms_crash_commit(log, record);
}

static void record_progress(ms_crash_stage stage) {
  ms_fault_advance(crash.log, crash.number, stage);
  ms_crash_progress_record *record =
      ms_crash_begin(crash.log, MS_RECORD_CRASH_PROGRESS, crash.number, sizeof *record);
  if (record == NULL) return;
  record->ticks = ms_log_now(crash.log);
  record->stage = stage;
  record->threads_found = crash.threads_found;
  record->threads_walked = crash.threads_walked;
  record->out_of_time = crash.out_of_time;
  record->list_incomplete = crash.list_incomplete;
  ms_crash_commit(crash.log, record);
}

static void record_recovery(void) {
  record_progress(MS_CRASH_RECOVERED);
  ms_fault_left(crash.log, crash.number, crash.frame);
}

// --- Steps

static bool stack_is_recorded;

static void record_thread(ms_crash *crash, ms_stack_source source, ms_queue_interest queue) {
  if (stack_is_recorded) return;
  ms_record_thread(crash->log, crash->number, crash->thread, crash->context, true, source, queue);
  stack_is_recorded = true;
}

static void record_stack(ms_crash *crash) {
  record_thread(crash, MS_STACK_BY_RULES, MS_WITH_QUEUE);
}

static void record_stack_without_queue(ms_crash *crash) {
  record_thread(crash, MS_STACK_BY_RULES, MS_WITHOUT_QUEUE);
}

static void record_stack_by_frame_pointers(ms_crash *crash) {
  record_thread(crash, MS_STACK_BY_FRAME_POINTERS, MS_WITHOUT_QUEUE);
}

static void admit_no_stack(ms_crash *crash) {
  record_thread(crash, MS_STACK_LOST, MS_WITHOUT_QUEUE);
}

typedef void (*step)(ms_crash *crash);

static const step first_steps[] = {
    record_stack,   record_stack_without_queue, record_stack_by_frame_pointers,
    admit_no_stack, ms_record_registers,        ms_record_texts};
static const step later_steps[] = {ms_record_code, ms_record_stack_bytes, ms_record_task,
                                   ms_record_crumb_context, ms_record_own_task_place, ms_record_thrown,
                                   ms_record_threads, ms_record_task_name, ms_record_waits,
                                   ms_record_all_tasks};

static void take_steps(const step *steps, int count) {
  for (volatile int i = 0; i < count && faults_met < most_faults; i++) {
    current_step++;
    if (ms_note_place(&recovery) == 0) {
      activity = TAKING_STEP;
      steps[i](&crash);
    }
    activity = HANDING_ON;
  }
}

#define MS_TAKE(steps) take_steps(steps, sizeof steps / sizeof *steps)

// --- One crash

static void publish(const ms_crash *begun) {
  crash = *begun;
  atomic_store(&current, begun->number);
}

static uint32_t thread_of(uint64_t held) { return (uint32_t)held; }

/// Makes the calling thread the owner if the owner is still `held`; 0 means no owner.
static bool own(uint64_t held, uint32_t self) {
  uint64_t mine = (uint64_t)(atomic_fetch_add(&ownerships, 1) + 1) << 32 | self;
  return atomic_compare_exchange_strong(&owner, &held, mine);
}

static void let_go(void) {
  atomic_store(&current, 0);
  atomic_store(&owner, 0);
}

static void take_first_steps(void *unused) {
  (void)unused;
  MS_TAKE(first_steps);
}

static void take_later_steps(void *unused) {
  (void)unused;
  MS_TAKE(later_steps);
}

static void begin(int signal, const siginfo_t *info, const ucontext_t *context, uint32_t self,
                  uintptr_t frame) {
  ms_log *log = atomic_load(&recording_log);
  if (crashes > 0) ms_crash_make_room(log);
  ms_crash begun = {
      .log = log,
      .info = info,
      .context = context,
      .thread_budget_ns = thread_budget,
      .hold_ns = ms_sum_of_limits(thread_budget, ms_waits_limit()),
      .number = ++crashes,
      .thread = self,
      .signal = signal,
      .frame = frame,
  };
  ms_hold_end();
  activity = HANDING_ON;
  current_step = 0;
  faults_met = 0;
  stack_is_recorded = false;
  record_signal(log, begun.number, MS_CRASH_FIRST, self, signal, info);
  if (!ms_signal_is_forwarding()) ms_fault_leave_all(log, self);
  ms_fault_open(log, begun.number, self, signal, frame);
  publish(&begun);
}

static void record_own(void) {
  ms_with_room(crash.context, MS_WORKER_CRASHED, take_first_steps, NULL);
}

static void finish(void) {
  ms_with_room(crash.context, MS_WORKER_CRASHED, take_later_steps, NULL);
  record_progress(MS_CRASH_RECORDED);
}

/// Forwards the signal to a host's handler that may recover, such as that of a runtime that turns faults into
/// exceptions. The handler runs before any other thread is interrupted. If the host has recovered often at this
/// instruction, only the instruction is recorded first, because the program spends its time on such faults.
static bool let_host_recover(int signal, siginfo_t *info, void *context) {
  bool is_routine = ms_is_routine(ms_instruction(context));
  if (is_routine) ms_record_instruction(crash.log, crash.number, crash.thread, context);
  else record_own();
  record_progress(MS_CRASH_HANDED);
  ms_crash mine = crash;
  let_go();  // the host's handler may never return
  ms_signal_outcome outcome = ms_signal_forward(signal, info, context);
  if (!own(0, mine.thread)) {
    if (outcome == MS_FORWARDED_SURVIVED) ms_fault_left(mine.log, mine.number, mine.frame);
    return true;
  }
  publish(&mine);
  if (outcome == MS_FORWARDED_FATAL) {
    ms_is_no_routine(ms_instruction(context));
    if (is_routine) record_own();
    finish();
  } else {
    record_recovery();
    let_go();
  }
  return true;
}

static bool record_and_hand_on(int signal, siginfo_t *info, void *context, uint32_t self,
                               uintptr_t frame) {
  begin(signal, info, context, self, frame);
  if (ms_signal_host_of(signal) == MS_HOST_RECOVERS) {
    return let_host_recover(signal, info, context);
  }
  record_own();
  finish();
  activity = HANDED_ON;
  if (ms_signal_forward(signal, info, context) == MS_FORWARDED_SURVIVED) {
    ms_hold_end();
    record_recovery();
    let_go();
  }
  return true;
}

/// Handles another signal on the crashed thread: in a step of the recording, or in a handler of the host.
static bool crash_again(int signal, siginfo_t *info) {
  bool is_sent = info->si_code <= 0 && signal != SIGABRT;
  if (hands_on()) {
    record_signal(crash.log, crash.number, MS_CRASH_AFTERWARDS, crash.thread, signal, info);
    return false;
  }
  if (is_sent) return true;  // the process is already dying
  if (activity == TAKING_STEP) {
    activity = NOTING_FAULT;
    faults_met++;
    record_signal(crash.log, crash.number, MS_CRASH_NESTED, crash.thread, signal, info);
  }
  ms_go_to_place(&recovery);
}

/// True if the thread still exists. A handler of the host may end it by cancellation or `pthread_exit`.
static bool is_alive(uint32_t thread) {
  return syscall(SYS_tgkill, process, thread, 0) == 0 || errno != ESRCH;
}

/// True if the crash was survived: the thread left the host's handler by a long jump, and its next crumb closed the
/// fault.
static bool is_survived(ms_log *log, uint32_t number) {
  return number != 0 && hands_on() && !ms_fault_is_open(log, number);
}

static bool is_over(ms_log *log, uint64_t held) {
  return held == 0 || !is_alive(thread_of(held)) || is_survived(log, atomic_load(&current));
}

/// Waits while another thread's crash is recorded, and records this thread as part of that crash. Returns true if the
/// owner has ended or survived its crash: the caller then records this thread's crash.
static bool crash_meanwhile(ms_log *log, int signal, siginfo_t *info, void *context,
                            uint32_t self, uint64_t held) {
  enum { patience = 30000 };  // milliseconds: the time limit of Swift's own backtracer
  enum { millisecond = 1000000 };
  bool is_mentioned = false;
  for (int i = 0; i < patience; i++, held = atomic_load(&owner)) {
    uint32_t number = atomic_load(&current);
    if (is_over(log, held) && own(held, self)) return true;
    if (number && !is_mentioned) {
      is_mentioned = true;
      record_signal(log, number, MS_CRASH_MEANWHILE, self, signal, info);
      ms_record_self(log, number, self, context, true);
    }
    ms_sleep(millisecond);
  }
  return false;
}

/// The calling thread's id; 0 in a child of `vfork`, which shares the memory of this process.
static uint32_t own_id(void) {
  // A handler must not allocate thread-local memory.
  static _Thread_local __attribute__((tls_model("initial-exec"))) uint32_t known;
  uint32_t self = ms_thread_id_anew();
  if (self == known) return self;
  if (getpid() != process) return 0;
  known = self;
  return self;
}

bool ms_crash_on_signal(int signal, siginfo_t *info, void *context) {
  if (info->si_code > 0) ms_leave_own_stack();
  ms_log *log = atomic_load(&recording_log);
  if (log == NULL || !ms_log_is_recording(log)) return false;
  uint32_t self = own_id();
  if (self == 0) return false;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uint64_t held = atomic_load(&owner);
  // True if the thread left the host's handler for its last crash by a long jump.
  bool has_left = thread_of(held) == self && activity == HANDED_ON && crash.thread == self &&
                  !ms_signal_is_forwarding();
  if ((held == 0 || has_left) && own(held, self)) {
    return record_and_hand_on(signal, info, context, self, frame);
  }
  held = atomic_load(&owner);
  if (thread_of(held) == self) return crash_again(signal, info);
  ms_hold_exempt(true);
  ms_signal_open_mask(context);
  bool is_next = crash_meanwhile(log, signal, info, context, self, held);
  ms_hold_exempt(false);
  if (!is_next) return false;
  return record_and_hand_on(signal, info, context, self, frame);
}

void ms_crash_delay_exit(void) {
  enum { millisecond = 1000000 };
  ms_log *log = atomic_load(&recording_log);
  uint32_t self = log ? own_id() : 0;
  uint64_t patience = ms_sum_of_limits(thread_budget, ms_waits_limit()) / millisecond + 5000;
  for (uint64_t i = 0; self && i < patience; i++) {
    uint64_t held = atomic_load(&owner);
    if (thread_of(held) == self || is_over(log, held)) return;
    ms_sleep(millisecond);
  }
}

void ms_crash_record_into(ms_log *log, uint64_t thread_budget_ns, int own_process) {
  process = own_process;
  thread_budget = thread_budget_ns;
  atomic_store(&recording_log, log);
}

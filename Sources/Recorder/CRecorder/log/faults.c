// Faults in the log's header that the process is not known to have survived. These faults distinguish a crash from a
// fault from which a handler of the host recovered.
//
// A handler that leaves by `longjmp` does not report the recovery. The thread's next crumb does: a flag in the
// thread's entry sends its first crumb after a fault through the slow path, so that other crumbs cost nothing extra.

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log_internal.h"
#include "ms_crash_append.h"

// The frame of the handler that received this thread's open faults; 0 if none.
static _Thread_local uintptr_t handler_frame __attribute__((tls_model("initial-exec")));

enum { deepest_handler = 1 << 20 };

static ms_open_fault *faults_of(ms_log *log) { return ms_log_last_words(log)->faults; }

static uint64_t crash_in(const ms_open_fault *fault) {
  return __atomic_load_n(&fault->crash, __ATOMIC_RELAXED);
}

static bool is_within(uintptr_t address, const stack_t *stack) {
  return !(stack->ss_flags & SS_DISABLE) && address - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/// Returns true if the calling thread's signal mask contains the signal that `ms_signal_forward` adds for a handler
/// on the thread's own stack; a `longjmp` out of the handler removes it. Signal safety: safe.
static bool is_marked(void) {
  enum { cancelling_signal = 32 };
  uint64_t mask = 0;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
  return mask & UINT64_C(1) << (cancelling_signal - 1);
}

/// Returns true if code with this frame runs inside the handler, or in a function that it called. Signal safety:
/// safe.
static bool is_inside_handler(uintptr_t here) {
  stack_t alternate;
  if (handler_frame == 0 || sigaltstack(NULL, &alternate) != 0) return false;
  bool is_apart = is_within(here, &alternate);
  // Different stacks: the code is inside the handler only if it is on the alternate stack, as in a nested handler.
  if (is_apart != is_within(handler_frame, &alternate)) return is_apart;
  if (!is_apart && !is_marked()) return false;
  return here < handler_frame && handler_frame - here < deepest_handler;
}

static void mark(ms_log *log, uint64_t slow) {
  thread_entry *entry = &ms_mine[log->index];
  if (ms_is_entry_of(entry, log)) entry->log = log->id | slow;
}

void ms_fault_leave_all(ms_log *log, uint32_t thread) {
  if (handler_frame == 0) return;
  ms_open_fault *faults = faults_of(log);
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    uint64_t crash = crash_in(&faults[i]);
    if (crash == 0 || ms_open_fault_thread(crash) != (thread & 0x3fffff)) continue;
    __atomic_compare_exchange_n(&faults[i].crash, &crash, 0, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }
  handler_frame = 0;
  mark(log, 0);
}

/// Returns the slot of this crash, else a free one, else the slot of the oldest fault.
static ms_open_fault *slot_for(ms_log *log, uint32_t number) {
  ms_open_fault *faults = faults_of(log), *best = faults;
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    uint64_t crash = crash_in(&faults[i]);
    if (crash != 0 && ms_open_fault_number(crash) == number) return &faults[i];
    if (crash < crash_in(best)) best = &faults[i];
  }
  return best;
}

void ms_fault_open(ms_log *log, uint32_t number, uint32_t thread, int signal, uintptr_t frame) {
  // A fault at the same or a shallower stack depth means that the previous handler was left by `longjmp`.
  if (handler_frame != 0 && frame >= handler_frame) ms_fault_leave_all(log, thread);
  ms_open_fault *fault = slot_for(log, number);
  __atomic_store_n(&fault->crash, 0, __ATOMIC_RELAXED);
  ms_order();
  __atomic_store_n(&fault->ticks, ms_ticks(log), __ATOMIC_RELAXED);
  ms_order();
  uint64_t word = ms_open_fault_word(number, thread, signal, MS_CRASH_BEGUN);
  __atomic_store_n(&fault->crash, word, __ATOMIC_RELAXED);
  if (handler_frame == 0) handler_frame = frame;
  mark(log, MS_SLOW_ENTRY);
}

void ms_fault_advance(ms_log *log, uint32_t number, ms_crash_stage stage) {
  ms_open_fault *faults = faults_of(log);
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    uint64_t crash = crash_in(&faults[i]);
    if (crash == 0 || ms_open_fault_number(crash) != number) continue;
    uint64_t word = stage == MS_CRASH_RECOVERED ? 0 : (crash & ~UINT64_C(7)) | stage;
    __atomic_compare_exchange_n(&faults[i].crash, &crash, word, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return;
  }
}

bool ms_fault_is_open(ms_log *log, uint32_t number) {
  const ms_open_fault *faults = faults_of(log);
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    uint64_t crash = crash_in(&faults[i]);
    if (crash != 0 && ms_open_fault_number(crash) == number) return true;
  }
  return false;
}

void ms_fault_left(ms_log *log, uint32_t number, uintptr_t frame) {
  ms_fault_advance(log, number, MS_CRASH_RECOVERED);
  if (handler_frame != frame) return;  // the handler runs inside the handler of an earlier fault
  handler_frame = 0;
  mark(log, 0);
}

bool ms_fault_ends_here(ms_log *log) {
  if (!is_inside_handler((uintptr_t)__builtin_frame_address(0))) return false;
  ms_open_fault *faults = faults_of(log);
  uint32_t thread = (uint32_t)syscall(SYS_gettid);
  bool ends = false;
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    uint64_t crash = crash_in(&faults[i]);
    if (crash == 0 || ms_open_fault_thread(crash) != (thread & 0x3fffff)) continue;
    ms_fault_advance(log, ms_open_fault_number(crash), MS_CRASH_RECORDED);
    ends = true;
  }
  return ends;
}

void ms_fault_note_crumb(ms_log *log, uint32_t thread) {
  if (handler_frame == 0) return mark(log, 0);
  if (!is_inside_handler((uintptr_t)__builtin_frame_address(0))) ms_fault_leave_all(log, thread);
}

// Samples the other threads: each thread captures its own stack, into a record of its own.

#include <sched.h>
#include <string.h>

#include "crash.h"
#include "thread_list.h"

enum { most_threads = 16384, most_queues = 16 };

typedef enum { SILENT = 0, ANSWERED = 1, GIVEN_UP = 2 } answer_state;

static uint32_t asked[most_threads];
static _Atomic uint8_t states[most_threads];
static uint32_t asked_count;
static _Atomic uint32_t answers;
static ms_log *asking_log;
static uint32_t asking_crash;
static ms_thread_sample *_Atomic asking_sample;

// The code that samples threads. A crash does not wait for the watchdog, but takes over.
typedef enum { NOBODY = 0, WATCHDOG = 1, CRASH = 2 } asker;
static _Atomic int asking;

static const uint64_t millisecond = 1000000;

/// True if the signal is a request for a sample and not a profiler's tick. A request carries the address of the
/// thread's entry in `asked`, unless the kernel had no memory for the value.
static bool is_question(const siginfo_t *info) {
  uintptr_t place = (uintptr_t)info->si_value.sival_ptr - (uintptr_t)asked;
  if (info->si_code == SI_QUEUE) return place < sizeof asked;
  return info->si_code == SI_USER && info->si_pid == 0;
}

/// The index of the calling thread among the asked threads.
static uint32_t own_index(const siginfo_t *info) {
  uint32_t self = ms_thread_id_anew();
  if (info->si_code == SI_QUEUE && is_question(info)) {
    uint32_t index = (uint32_t)((uint32_t *)info->si_value.sival_ptr - asked);
    if (index < asked_count && asked[index] == self) return index;
  }
  for (uint32_t i = 0; i < asked_count; i++) {
    if (asked[i] == self) return i;
  }
  return asked_count;
}

// The recovery point of this thread for a fault during the walk of its own stack. A handler must not allocate
// thread-local memory, so the variable exists from the start of the thread.
static _Thread_local __attribute__((tls_model("initial-exec"))) ms_place *volatile recovery;

void ms_leave_own_stack(void) {
  if (recovery) ms_go_to_place(recovery);
}

bool ms_if_possible(void (*work)(void *), void *argument) {
  ms_place here, *outer = recovery;
  volatile bool is_done = false;
  if (ms_note_place(&here) == 0) {
    recovery = &here;
    work(argument);
    is_done = true;
  }
  recovery = outer;
  return is_done;
}

// The capture of a thread's own stack.
typedef struct {
  const void *context;
  ms_thread_sample *sample;  // the destination; NULL: the log
  ms_log *log;
  uint32_t crash;
  uint32_t thread;
  bool crashed;
} own_stack;

static void record(const own_stack *own) {
  ms_record_thread(own->log, own->crash, own->thread, own->context, own->crashed, MS_STACK_BY_RULES,
                   MS_WITH_QUEUE);
  if (!own->crashed) ms_record_task_place(own->log, own->crash, own->thread);
}

static void fill_sample(const own_stack *own) {
  ms_thread_sample *sample = own->sample;
  ms_queue_stamp queue = ms_queue_stamp_here();
  ms_walk_end end;
  sample->count = ms_walk_thread(own->context, sample->frames, MS_FRAME_LIMIT, &end);
  sample->end = end;
  sample->queue_serial = queue.serial;
  sample->queue_label = queue.label;
  ms_thread_name(sample->name, sizeof sample->name);
  const void *queues[most_queues];
  size_t count = sample->wanted ? ms_queue_all_here(queues, most_queues) : 0;
  for (size_t i = 0; i < count; i++) sample->is_on_wanted |= queues[i] == sample->wanted;
  // The queue may be freed before the sample is read.
  for (size_t i = 0; count && queue.label && queue.label[i] && i < sizeof sample->queue - 1; i++) {
    sample->queue[i] = queue.label[i];
  }
  ms_task_facts task;
  if (!ms_task_facts_here(&task)) return;
  sample->task = task.task;
  sample->executor = task.executor;
  sample->is_cancelled = task.is_cancelled;
}

static void tell_if_possible(void *context) {
  const own_stack *own = context;
  ms_place here, *outer = recovery;  // a second request may interrupt this capture
  if (ms_note_place(&here) == 0) {
    recovery = &here;
    if (own->sample) fill_sample(own);
    else record(own);
  } else if (own->sample) {
    own->sample->count = 0;
  } else {
    ms_record_own_name(own->log, own->crash, own->thread, MS_STACK_LOST);
  }
  recovery = outer;
}

static void tell(own_stack *own) {
  if (ms_with_room(own->context, MS_WORKER_OTHER, tell_if_possible, own) || own->sample) return;
  ms_record_own_name(own->log, own->crash, own->thread, MS_STACK_NO_ROOM);
}

void ms_record_self(ms_log *log, uint32_t crash, uint32_t thread, const void *context,
                    bool crashed) {
  tell(&(own_stack){context, NULL, log, crash, thread, crashed});
}

static void go_back(void *nothing) {
  (void)nothing;
  ms_leave_own_stack();
}

void ms_rehearse(void) {
  static ms_thread_sample sample;
  ucontext_t here;
  if (getcontext(&here) != 0) return;
  tell_if_possible(&(own_stack){&here, &sample, NULL, 0, 0, false});
  ms_if_possible(go_back, NULL);
}

static void tell_as(uint32_t own, const void *context) {
  ms_thread_sample *sample = atomic_load(&asking_sample);
  tell(&(own_stack){context, sample, asking_log, asking_crash, asked[own], false});
  uint8_t silent = SILENT;
  if (atomic_compare_exchange_strong(&states[own], &silent, ANSWERED)) {
    atomic_fetch_add(&answers, 1);
  }
}

/// Handles the sampling signal. A profiler's tick may have replaced the request, because the kernel keeps only one
/// pending signal. A thread searches for its own entry only while a request is pending.
static bool answer(int signal, siginfo_t *info, void *context) {
  (void)signal;
  uint32_t own = atomic_load(&asking) == NOBODY ? asked_count : own_index(info);
  bool tells = own < asked_count && atomic_load(&states[own]) == SILENT;
  if (tells) tell_as(own, context);
  if (tells || is_question(info)) ms_hold();
  return is_question(info);
}

/// Sends a request; returns false if the thread is gone or the kernel refuses the signal.
static bool ask(uint32_t index) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = ms_asking_signal;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &asked[index];
  return syscall(SYS_rt_tgsigqueueinfo, getpid(), asked[index], ms_asking_signal, &info) == 0;
}

static void give_up(ms_crash *crash, uint32_t index, ms_stack_source why, const char *name) {
  uint8_t silent = SILENT;
  if (!atomic_compare_exchange_strong(&states[index], &silent, GIVEN_UP)) return;
  if (why != MS_STACK_GONE) {
    ms_record_silent_thread(crash->log, crash->number, asked[index], name, why);
  }
}

static uint32_t count_given_up(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < asked_count; i++) count += atomic_load(&states[i]) == GIVEN_UP;
  return count;
}

/// Waits until all threads except `given_up` have answered; returns false at the deadline.
static bool wait_for(uint32_t given_up, uint64_t until) {
  for (uint64_t step = 0; atomic_load(&answers) + given_up < asked_count; step++) {
    uint64_t time = ms_now();
    if (time >= until) return false;
    if (step < 64) sched_yield();
    else ms_sleep(step < 128 ? 20000 : millisecond);
  }
  return true;
}

/// Records the threads that block the signal and therefore cannot answer.
static void name_the_blocked(ms_crash *crash, uint64_t until) {
  for (uint32_t i = 0; i < asked_count && ms_now() < until; i++) {
    if (atomic_load(&states[i]) != SILENT) continue;
    ms_thread_status status = ms_thread_status_of(asked[i], ms_asking_signal);
    if (!status.exists) give_up(crash, i, MS_STACK_GONE, "");
    else if (status.blocks) give_up(crash, i, MS_STACK_BLOCKED, status.name);
  }
}

static void name_the_late(ms_crash *crash) {
  for (uint32_t i = 0; i < asked_count; i++) {
    if (atomic_load(&states[i]) != SILENT) continue;
    ms_thread_status status = ms_thread_status_of(asked[i], ms_asking_signal);
    give_up(crash, i, status.exists ? MS_STACK_NO_ANSWER : MS_STACK_GONE, status.name);
  }
}

static void ask_all(ms_crash *crash) {
  atomic_store(&asking, CRASH);
  asking_log = crash->log;
  asking_crash = crash->number;
  atomic_store(&asking_sample, NULL);
  crash->list_incomplete = !ms_list_threads(asked, most_threads, &asked_count);
  crash->threads_found = asked_count;
  if (ms_signal_host_of(crash->signal) != MS_HOST_REPORTS) {
    ms_hold_begin(crash->hold_ns, asked_count);
  }
  atomic_store(&answers, 0);
  ms_signal_borrow(ms_asking_signal, answer);
  for (uint32_t i = 0; i < asked_count; i++) atomic_store(&states[i], SILENT);
  for (uint32_t i = 0; i < asked_count; i++) {
    if (asked[i] == crash->thread) atomic_store(&states[i], GIVEN_UP);
    else if (!ask(i)) give_up(crash, i, MS_STACK_GONE, "");
  }
}

void ms_record_threads(ms_crash *crash) {
  if (crash->thread_budget_ns == 0) return;
  uint64_t until = ms_now() + crash->thread_budget_ns;
  ask_all(crash);
  // A thread that can answer does so at once; a silent thread may block the signal.
  uint64_t soon = ms_now() + 200000 + (uint64_t)asked_count * 5000;
  if (!wait_for(count_given_up(), soon < until ? soon : until)) {
    name_the_blocked(crash, until);
    crash->out_of_time = !wait_for(count_given_up(), until);
  }
  name_the_late(crash);
  crash->threads_walked = atomic_load(&answers) + 1;
  ms_signal_return(ms_asking_signal);
  atomic_store(&asking, NOBODY);
}

static uint32_t asks;

uint32_t ms_thread_asks(void) { return asks; }

bool ms_thread_ask(uint32_t thread, uint64_t patience_ns, ms_thread_sample *sample) {
  int nobody = NOBODY, watchdog = WATCHDOG;
  asks++;
  if (!atomic_compare_exchange_strong(&asking, &nobody, WATCHDOG)) return false;
  asked[0] = thread;
  asked_count = 1;
  atomic_store(&asking_sample, sample);
  atomic_store(&answers, 0);
  atomic_store(&states[0], SILENT);
  ms_signal_borrow(ms_asking_signal, answer);
  bool answered = ask(0) && wait_for(0, ms_now() + patience_ns);
  if (atomic_load(&asking) != WATCHDOG) return false;
  uint8_t silent = SILENT;
  if (!answered) answered = !atomic_compare_exchange_strong(&states[0], &silent, GIVEN_UP);
  ms_signal_return(ms_asking_signal);
  atomic_compare_exchange_strong(&asking, &watchdog, NOBODY);
  return answered;
}

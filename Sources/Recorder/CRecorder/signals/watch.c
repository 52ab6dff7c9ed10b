// Records lifecycle crumbs for events of the process.

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <ucontext.h>
#include <unistd.h>

#include "ms_blocking_crumbs.h"
#include "ms_crumb_builder.h"
#include "ms_crash_append.h"
#include "ms_log_words.h"
#include "ms_queue.h"
#include "ms_signals.h"
#include "ms_walk.h"
#include "ms_watch.h"
#include "change_locks.h"
#include "accepted_signals.h"

enum {
  most_logs = 16,
  again_within_ns = 50 * 1000 * 1000,
};

typedef struct {
  ms_log *_Atomic log;
  _Atomic unsigned watched;
  unsigned taken;  // a bit for each of `signals`, and one for SIGBUS
} watcher;

static watcher watchers[most_logs];

typedef struct {
  int signal;
  unsigned watched;
  const char *name;
  const char *event;
} watched_signal;

// A stopped Linux process counts as being in the background until it is continued.
static const watched_signal signals[] = {
    {SIGTERM, MS_WATCH_TERMINATION, "SIGTERM", MS_WORD_WILL_TERMINATE},
    {SIGINT, MS_WATCH_TERMINATION, "SIGINT", MS_WORD_WILL_TERMINATE},
    {SIGHUP, MS_WATCH_TERMINATION, "SIGHUP", MS_WORD_WILL_TERMINATE},
    {SIGTSTP, MS_WATCH_SUSPENSION, "SIGTSTP", MS_WORD_DID_ENTER_BACKGROUND},
    {SIGCONT, MS_WATCH_SUSPENSION, "SIGCONT", MS_WORD_WILL_ENTER_FOREGROUND},
};
enum { signal_count = sizeof signals / sizeof *signals, bus_bit = 1 << signal_count };

/// Begins a lifecycle crumb. Signal safety: as `ms_log_enter`.
static ms_crumb_builder begin_crumb(ms_log *log, const char *event) {
  ms_crumb_builder crumb = ms_crumb_begin(log, MS_KIND_LIFECYCLE, 2, "lifecycle", event);
  ms_crumb_set_queue(&crumb, ms_queue_stamp_here());
  return crumb;
}

/// Records a lifecycle crumb with a signal and its sender. Signal safety: as `ms_log_enter`.
static void note_sent(ms_log *log, const char *event, const char *name, pid_t sender) {
  ms_crumb_builder crumb = begin_crumb(log, event);
  if (name) ms_crumb_add_string(&crumb, MS_KEY_SIGNAL, name);
  if (sender > 0) ms_crumb_add_integer(&crumb, MS_KEY_SENDER, sender);
  ms_crumb_end(&crumb);
}

void ms_lifecycle_note(ms_log *log, const char *event) { note_sent(log, event, NULL, 0); }

void ms_previous_run_tell(ms_log *log, uint64_t salt, uint64_t ending) {
  ms_last_words *words = ms_log_last_words(log);
  words->before_ending = ending;
  words->before_salt = salt;
}

void ms_previous_run_note(ms_log *log, const char *ending, const char *certainty, int process,
                          int signal) {
  ms_crumb_builder crumb = begin_crumb(log, "previous run ended");
  ms_crumb_add_string(&crumb, "ending", ending);
  ms_crumb_add_string(&crumb, "certainty", certainty);
  ms_crumb_add_integer(&crumb, "process", process);
  if (signal > 0) ms_crumb_add_integer(&crumb, "bySignal", signal);
  ms_crumb_end(&crumb);
}

static const watched_signal *watched_for(int signal) {
  for (int i = 0; i < signal_count; i++) {
    if (signals[i].signal == signal) return &signals[i];
  }
  return NULL;
}

/// Returns true if libdispatch's own handler raises the signal again, which it does until its file descriptor has
/// received the signal. Signal safety: safe.
static bool is_raised_again(int signal, const siginfo_t *info) {
  static _Atomic uint64_t last[NSIG];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  uint64_t before = atomic_exchange(&last[signal], time);
  return info->si_code == SI_TKILL && info->si_pid == getpid() && time - before < again_within_ns;
}

/// Records a termination request in the header. Signal safety: safe.
static void note_asked_to_end(ms_log *log, int signal, bool is_taken) {
  ms_last_words *words = ms_log_last_words(log);
  __atomic_store_n(&words->takes_ask, is_taken, __ATOMIC_RELAXED);
  __atomic_store_n(&words->asked_to_end, signal, __ATOMIC_RELAXED);
}

void ms_watch_note_termination(ms_log *log, int signal) {
  const watched_signal *watched = watched_for(signal);
  if (watched == NULL || watched->watched != MS_WATCH_TERMINATION || !ms_log_is_recording(log)) return;
  bool is_known =
      __atomic_load_n(&ms_log_last_words(log)->asked_to_end, __ATOMIC_RELAXED) == (uint64_t)signal;
  note_asked_to_end(log, signal, true);
  if (!is_known) note_sent(log, watched->event, watched->name, 0);
}

/// Records the signal in every log that watches it. Signal safety: as `ms_log_enter`.
static void note(const watched_signal *watched, pid_t sender, bool is_taken) {
  for (int i = 0; i < most_logs; i++) {
    ms_log *log = atomic_load(&watchers[i].log);
    if (log == NULL || !ms_log_is_recording(log)) continue;
    if (watched->watched == MS_WATCH_TERMINATION) note_asked_to_end(log, watched->signal, is_taken);
    if (watchers[i].watched & watched->watched) {
      note_sent(log, watched->event, watched->name, sender);
    }
  }
}

/// Returns the sender's process id; 0 if the kernel sent the signal. Signal safety: safe.
static pid_t sender_of(int code, pid_t process) { return code <= 0 ? process : 0; }

/// The action for a watched signal. Signal safety: as `ms_log_enter`.
static bool note_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  const watched_signal *watched = watched_for(signal);
  if (watched == NULL || is_raised_again(signal, info)) return false;
  const struct sigaction *found = &ms_disposition(signal)->found;
  bool is_taken = found->sa_handler != SIG_DFL;
  note(watched, sender_of(info->si_code, info->si_pid), is_taken);
  return false;
}

static void hear(int signal, int code, pid_t sender) {
  const watched_signal *watched = watched_for(signal);
  if (watched) note(watched, sender_of(code, sender), true);
}

/// Returns true if the log records the signal. False in a forked child, which records nothing, and in which a change
/// by another thread may be incomplete.
static bool is_wanted_by(const watcher *watcher, const watched_signal *watched) {
  ms_log *log = atomic_load(&watcher->log);
  return log && ms_log_is_recording(log) && watcher->watched & MS_WATCH_WAITED &&
         watcher->watched & watched->watched;
}

static bool wants(int signal) {
  const watched_signal *watched = watched_for(signal);
  for (int i = 0; watched && i < most_logs; i++) {
    if (is_wanted_by(&watchers[i], watched)) return true;
  }
  return false;
}

static bool comes_before(int signal, const struct sigaction *action) {
  const watched_signal *watched = watched_for(signal);
  if (watched == NULL) return false;
  ms_mask mask = ms_begin_change(MS_WATCHERS);
  unsigned bit = 1u << (watched - signals);
  bool comes = false;
  for (int i = 0; i < most_logs; i++) {
    if (!is_wanted_by(&watchers[i], watched)) continue;
    if (!comes) ms_signal_come_before(signal, action);
    comes = true;
    // The signal was not taken while the host ignored it.
    if (!(watchers[i].taken & bit) && ms_signal_take(signal, MS_SIGNAL_WATCH, note_signal)) {
      watchers[i].taken |= bit;
    }
  }
  ms_end_change(MS_WATCHERS, mask);
  return comes;
}

static const ms_listener listener = {wants, hear, comes_before};

/// The identity of standard error when a log was opened. The host may have reused the descriptor's number for another
/// file since.
static struct stat standard_error;
static bool has_standard_error;

static void find_standard_error(void) {
  has_standard_error = fstat(STDERR_FILENO, &standard_error) == 0;
}

/// Writes a text to standard error, if the descriptor still refers to the same file. Signal safety: safe.
static void say(const char *text) {
  struct stat now;
  if (!has_standard_error || fstat(STDERR_FILENO, &now) != 0) return;
  if (now.st_dev != standard_error.st_dev || now.st_ino != standard_error.st_ino) return;
  syscall(SYS_write, STDERR_FILENO, text, strlen(text));
}


/// Returns a sent SIGBUS to the host. Recording unblocks SIGBUS on its thread for faults, but a SIGBUS that a process
/// sent is meant for the host's waiting thread. This function blocks the signal again, as the host had it, and sends
/// the signal once more. Signal safety: safe.
static bool give_back_to_host(siginfo_t *info, ucontext_t *context) {
  if (info->si_code > 0 || !ms_thread_take_back_bus_error()) return false;
  uint64_t bus_error = UINT64_C(1) << (SIGBUS - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &bus_error, NULL, sizeof bus_error);
  sigaddset(&context->uc_sigmask, SIGBUS);  // takes effect when the handler returns
  if (info->si_code == SI_TKILL) {
    return syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGBUS) == 0;
  }
  return syscall(SYS_rt_sigqueueinfo, getpid(), SIGBUS, info) == 0 || kill(getpid(), SIGBUS) == 0;
}

/// The action for SIGBUS: repairs the mapping of a truncated log. Signal safety: safe (system calls only).
static bool repair(int signal, siginfo_t *info, void *context) {
  (void)signal;
  if (give_back_to_host(info, context)) return true;
  ms_repair repaired = info->si_code > 0 ? ms_log_repair_mapping(info->si_addr) : MS_REPAIR_NONE;
  if (repaired == MS_REPAIR_FIRST) {
    say("mainstay: something truncated the breadcrumb log; recording has stopped\n");
  }
  return repaired != MS_REPAIR_NONE;
}

enum { exit_depth = 48 };

/// Records a crumb with the exit status of the process and, in its stack, the caller of `exit`.
static void note_exit(ms_log *log, int status, const uintptr_t *frames, uint32_t count, ms_walk_end end) {
  ms_crumb_builder crumb = begin_crumb(log, MS_WORD_PROCESS_EXITED);
  ms_crumb_add_integer(&crumb, MS_KEY_STATUS, status & 0xff);
  ms_crumb_set_stack(&crumb, frames, count, end);
  ms_crumb_end(&crumb);
}

/// Records a normal exit. The process may still crash in later exit handlers. Records nothing in a forked child.
static void ms_process_exits(int status, void *context) {
  (void)context;
  uintptr_t frames[exit_depth];
  ms_walk_end end = MS_WALK_COMPLETE;
  bool has_rules = ms_walk_engine_in_use() == MS_WALK_RULES;
  uint32_t count = has_rules ? ms_walk_here(frames, exit_depth, 0, &end) : 0;
  for (int i = 0; i < most_logs; i++) {
    ms_log *log = atomic_load(&watchers[i].log);
    if (log == NULL || !(watchers[i].watched & MS_WATCH_EXIT) || !ms_log_is_recording(log)) continue;
    note_exit(log, status, frames, count, end);
    __atomic_store_n(&ms_log_last_words(log)->exit_status, 1 + (uint64_t)(status & 0xff),
                     __ATOMIC_RELAXED);
    ms_log_mark_clean(log);
  }
}

#ifdef __GLIBC__
static void register_exit(void) { on_exit(ms_process_exits, NULL); }
#else
static void ms_process_exits_somehow(void) { ms_process_exits(0, NULL); }
static void register_exit(void) { atexit(ms_process_exits_somehow); }
#endif


/// Returns true if signals that threads accept without a handler are watched. Signal safety: safe.
static bool accepts(unsigned watched) {
  return watched & MS_WATCH_WAITED && watched & (MS_WATCH_TERMINATION | MS_WATCH_SUSPENSION);
}

static unsigned take(unsigned watched) {
  unsigned taken = ms_signal_take(SIGBUS, MS_SIGNAL_WATCH, repair) ? bus_bit : 0;
  for (int s = 0; s < signal_count; s++) {
    if (!(watched & signals[s].watched)) continue;
    if (ms_signal_take(signals[s].signal, MS_SIGNAL_WATCH, note_signal)) taken |= 1u << s;
  }
  return taken;
}

void ms_watch_begin(ms_log *log, unsigned watched) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_exit);
  if (accepts(watched)) ms_accepted_signals_begin(&listener);
  ms_mask mask = ms_begin_change(MS_WATCHERS);
  find_standard_error();
  for (int i = 0; i < most_logs; i++) {
    if (atomic_load(&watchers[i].log) != NULL) continue;
    watchers[i].watched = watched;
    atomic_store(&watchers[i].log, log);
    watchers[i].taken = take(watched);
    break;
  }
  ms_end_change(MS_WATCHERS, mask);
  ms_blocking_offer(log);
}

/// Adds accepted signals to the watched events of a log, if the log watches signals and not yet the accepted ones.
static bool add_accepted(ms_log *log) {
  bool is_new = false;
  ms_mask mask = ms_begin_change(MS_WATCHERS);
  for (int i = 0; i < most_logs; i++) {
    if (atomic_load(&watchers[i].log) != log) continue;
    unsigned watched = watchers[i].watched;
    is_new = !accepts(watched) && accepts(watched | MS_WATCH_WAITED);
    if (is_new) watchers[i].watched = watched | MS_WATCH_WAITED;
  }
  ms_end_change(MS_WATCHERS, mask);
  return is_new;
}

void ms_watch_accepted(ms_log *log) {
  ms_accepted_signals_begin(&listener);
  if (!add_accepted(log)) ms_accepted_signals_end();
}

void ms_watch_end(ms_log *log) {
  unsigned ends_watched = 0;
  ms_mask mask = ms_begin_change(MS_WATCHERS);
  for (int i = 0; i < most_logs; i++) {
    if (atomic_load(&watchers[i].log) != log) continue;
    ends_watched = watchers[i].watched;
    atomic_store(&watchers[i].log, NULL);
    if (watchers[i].taken & bus_bit) ms_signal_give_back(SIGBUS, MS_SIGNAL_WATCH);
    for (int s = 0; s < signal_count; s++) {
      if (watchers[i].taken & 1u << s) ms_signal_give_back(signals[s].signal, MS_SIGNAL_WATCH);
    }
  }
  ms_end_change(MS_WATCHERS, mask);
  ms_blocking_withdraw(log);
  if (accepts(ends_watched)) ms_accepted_signals_end();
}

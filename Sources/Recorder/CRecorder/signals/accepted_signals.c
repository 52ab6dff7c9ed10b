// Observes signals that reach no handler: a thread that waits for a signal (`sigwait`) or reads it from a descriptor
// (`signalfd`) takes it from the kernel before any handler runs.
//
// Most services receive SIGTERM this way. For a signal with a DispatchSource, libdispatch installs a handler, which
// may replace ours, and opens a `signalfd`; the faster one receives the signal. Therefore, in modules that import
// `signalfd`, our `read` observes the signals, and our `sigaction` keeps our handler in front of a new one.

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accepted_signals.h"
#include "change_locks.h"
#include "import_hooks.h"

static const ms_listener *listener;
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);
static int (*real_sigwaitinfo)(const sigset_t *, siginfo_t *);
static int (*real_sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
static int (*real_sigwait)(const sigset_t *, int *);

/// Returns true if the descriptor is an anonymous kernel object without a file type, such as a signalfd.
static bool is_anonymous(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == 0;
}

/// Returns true if libdispatch's handler sent the signal on to the thread that reads the descriptor. Our handler runs
/// before that handler and has already recorded the signal.
static bool is_passed_on(int signal, int code, pid_t sender) {
  return code == SI_TKILL && sender == getpid() && ms_has_handler(&ms_disposition(signal)->found);
}

static ssize_t read_hooked(int file, void *bytes, size_t size) {
  // A tail call, so that the hook leaves no frame on the stack of other reads.
  if (size != sizeof(struct signalfd_siginfo)) {
    __attribute__((musttail)) return real_read(file, bytes, size);
  }
  ssize_t got = real_read(file, bytes, size);
  if (got != (ssize_t)size) return got;
  int saved = errno;
  const struct signalfd_siginfo *info = bytes;
  int signal = (int)info->ssi_signo;
  if (listener->wants(signal) && is_anonymous(file) &&
      !is_passed_on(signal, info->ssi_code, (pid_t)info->ssi_pid)) {
    listener->heard(signal, info->ssi_code, (pid_t)info->ssi_pid);
  }
  errno = saved;
  return got;
}

static int sigaction_hooked(int signal, const struct sigaction *action,
                               struct sigaction *before) {
  // A caller that queries the previous handler may call that handler itself.
  bool replaces = before == NULL && action && ms_has_handler(action) &&
                  !(action->sa_flags & SA_SIGINFO) && listener->wants(signal);
  if (replaces && listener->comes_before(signal, action)) return 0;
  return real_sigaction(signal, action, before);
}

/// Reports a signal that a wait returned. Returns `signal`, which is negative if the wait failed.
static int heard(int signal, const siginfo_t *info) {
  int saved = errno;
  if (signal > 0 && listener->wants(signal)) listener->heard(signal, info->si_code, info->si_pid);
  errno = saved;
  return signal;
}

static int sigwaitinfo_hooked(const sigset_t *signals, siginfo_t *info) {
  siginfo_t own;
  if (info == NULL) info = &own;
  return heard(real_sigwaitinfo(signals, info), info);
}

static int sigtimedwait_hooked(const sigset_t *signals, siginfo_t *info,
                                  const struct timespec *time) {
  siginfo_t own;
  if (info == NULL) info = &own;
  return heard(real_sigtimedwait(signals, info, time), info);
}

static int sigwait_hooked(const sigset_t *signals, int *signal) {
  siginfo_t info;
  int got;
  do got = sigwaitinfo_hooked(signals, &info);
  while (got < 0 && errno == EINTR);
  if (got < 0) return errno;
  *signal = got;
  return 0;
}

static const ms_import_hook of_descriptors[] = {MS_IMPORT_HOOK(read), MS_IMPORT_HOOK(sigaction)};
static const ms_import_hook of_waits[] = {MS_IMPORT_HOOK(sigwaitinfo), MS_IMPORT_HOOK(sigtimedwait),
                                        MS_IMPORT_HOOK(sigwait)};
enum { descriptor_count = 2, wait_count = 3 };

static void change_all(bool begins) {
  ms_import_hooks_change("signalfd", of_descriptors, descriptor_count, begins);
  ms_import_hooks_change(NULL, of_waits, wait_count, begins);
}

static bool find_all(void) {
  bool found = ms_import_hooks_find(of_descriptors, descriptor_count);
  return ms_import_hooks_find(of_waits, wait_count) && found;
}

static unsigned beginnings;
static bool accepts;

/// Looks up the functions before it takes any lock: a constructor of a library that opens a log already holds the
/// loader's lock.
void ms_accepted_signals_begin(const ms_listener *told) {
  bool finds = find_all();
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (beginnings++ == 0) {
    accepts = finds;
    if (finds) {
      listener = told;
      change_all(true);
    }
  }
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

void ms_accepted_signals_end(void) {
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (--beginnings == 0 && accepts) change_all(false);
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

// Lets handlers of SIGABRT hear of an abort on Dispatch's threads.
//
// Dispatch blocks most signals on its threads, SIGABRT among them. An older glibc opens that one in `abort`,
// for its own thread, before it raises it. From 2.41 on it does not: no handler is called, ours or another, and the
// process is gone without a word. So there, threads that Dispatch begins from now on leave it open.

#include <signal.h>
#include <stdlib.h>

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include "ms_watch.h"
#include "change_locks.h"
#include "import_hooks.h"

static int (*real_pthread_sigmask)(int how, const sigset_t *set, sigset_t *before);

/// Unblocks SIGABRT instead of removing it from `set`, because a thread may have inherited the blocked signal from
/// its creator.
static int pthread_sigmask_hooked(int how, const sigset_t *set, sigset_t *before) {
  int failure = real_pthread_sigmask(how, set, before);
  if (failure == 0 && how == SIG_BLOCK && set && sigismember(set, SIGABRT) == 1) {
    sigset_t aborts;
    sigemptyset(&aborts);
    sigaddset(&aborts, SIGABRT);
    real_pthread_sigmask(SIG_UNBLOCK, &aborts, NULL);
  }
  return failure;
}

static const ms_import_hook masking = MS_IMPORT_HOOK(pthread_sigmask);

static bool abort_is_silent(void) {
#if __has_include(<gnu/libc-version.h>)
  char *end = NULL;
  const char *version = gnu_get_libc_version();
  unsigned long major = strtoul(version, &end, 10), minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
  return major > 2 || (major == 2 && minor >= 41);
#else
  return false;
#endif
}

static bool stands;

static void change(bool begins) {
  if (!abort_is_silent() || !ms_import_hooks_find(&masking, 1)) return;
  const void *dispatch = ms_library_defining("dispatch_main");
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (stands != begins) ms_import_hooks_change_inside(dispatch, &masking, 1, begins);
  stands = begins;
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

void ms_aborts_begin(void) { change(true); }

void ms_aborts_end(void) { change(false); }

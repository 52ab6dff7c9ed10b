// Lets handlers of SIGABRT run for an abort on Dispatch's threads.
//
// Dispatch blocks most signals on its threads, including SIGABRT. Before glibc 2.41, `abort` unblocks SIGABRT on its
// own thread before it raises the signal. Newer versions do not: no handler is called, and the process ends without a
// record. Therefore, with a newer glibc, threads that Dispatch creates while this hook is active keep SIGABRT
// unblocked.

#include <signal.h>
#include <stdlib.h>

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include "ms_watch.h"
#include "change_locks.h"
#include "import_hooks.h"

static int (*real_pthread_sigmask)(int how, const sigset_t *set, sigset_t *before);

/// Unblocks SIGABRT after the call instead of removing it from `set`, because a thread may have inherited the blocked
/// signal from its creator.
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

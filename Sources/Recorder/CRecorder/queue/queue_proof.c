// Verifies a learned layout: first against known results, then against libdispatch itself.

#include "queue_learning.h"

#if defined(__linux__)

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dispatch_symbols.h"

/// The queues of the verification. Each function below runs on a known set of them.
typedef struct {
  const ms_queue_knowledge *knowledge;
  void *serial, *other, *concurrent, *targeting, *held;
  bool ask_libdispatch;
  bool wrong;
} proof;

static void expect(proof *p, void *queue, bool on) {
  if (ms_queue_on_by(p->knowledge, queue) != on) p->wrong = true;
  if (!p->ask_libdispatch) return;
  if (on) dispatch_assert_queue(queue); else dispatch_assert_queue_not(queue);
}

static void expect_on(proof *p, bool serial, bool other, bool concurrent, bool targeting) {
  expect(p, p->serial, serial);
  expect(p, p->other, other);
  expect(p, p->concurrent, concurrent);
  expect(p, p->targeting, targeting);
  expect(p, p->held, false);
  expect(p, (void *)p->knowledge->layout.main, false);
}

static void in_serial_from_concurrent(void *p) { expect_on(p, true, false, true, false); }
static void in_other_from_serial(void *p) { expect_on(p, true, true, false, false); }
static void in_targeting(void *p) { expect_on(p, true, false, false, true); }

static void in_targeting_from_other(void *p) { expect_on(p, true, true, false, true); }

static void in_serial(void *context) {
  proof *p = context;
  expect_on(p, true, false, false, false);
  dispatch_sync_f(p->other, p, in_other_from_serial);
  dispatch_async_and_wait_f(p->other, p, in_other_from_serial);
  expect_on(p, true, false, false, false);
}

static void in_concurrent(void *context) {
  proof *p = context;
  expect_on(p, false, false, true, false);
  dispatch_sync_f(p->serial, p, in_serial_from_concurrent);
}

static void in_other(void *context) {
  proof *p = context;
  expect_on(p, false, true, false, false);
  dispatch_sync_f(p->targeting, p, in_targeting_from_other);
}

static bool holds(proof *p) {
  expect_on(p, false, false, false, false);
  dispatch_sync_f(p->serial, p, in_serial);
  dispatch_async_and_wait_f(p->serial, p, in_serial);
  dispatch_sync_f(p->concurrent, p, in_concurrent);
  dispatch_sync_f(p->other, p, in_other);
  dispatch_sync_f(p->targeting, p, in_targeting);
  expect_on(p, false, false, false, false);
  return !p->wrong;
}

// Verifies the layout in a child process. A wrong layout ends the child, in a failed assertion. The child has no exit
// signal, so that the host's SIGCHLD handlers and waits do not see it, and it runs no fork handlers. All signals are
// blocked here, so the kernel ends the child at the trap, without a core dump.
static const char *ask_libdispatch(proof *p) {
  long child = syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
  if (child < 0) return "clone failed for the child process that verifies the queue layout";
  if (child == 0) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    p->ask_libdispatch = true;
    syscall(SYS_exit_group, holds(p) ? 0 : 1);
  }
  int status;
  if (waitpid((pid_t)child, &status, __WCLONE) != child) return "waitpid failed for the child process that verifies the queue layout";
  return status == 0 ? NULL : "assertions of libdispatch contradict the learned queue layout";
}

const char *ms_queue_prove(const ms_queue_knowledge *knowledge, void *held) {
  proof p = {.knowledge = knowledge, .held = held};
  p.serial = dispatch_queue_create("mainstay.serial", NULL);
  p.other = dispatch_queue_create("mainstay.other", NULL);
  p.concurrent = dispatch_queue_create("mainstay.concurrent", &_dispatch_queue_attr_concurrent);
  p.targeting = dispatch_queue_create("mainstay.targeting", NULL);
  dispatch_set_target_queue(p.targeting, p.serial);

  const char *failure = holds(&p) ? ask_libdispatch(&p) : "the learned queue layout gives a wrong answer for a known queue";

  dispatch_release(p.targeting);
  dispatch_release(p.concurrent);
  dispatch_release(p.other);
  dispatch_release(p.serial);
  return failure;
}

#endif

// Random nestings of Dispatch, each verdict followed by libdispatch's own assertion, which traps
// where they differ: `queue-fuzz <seed> <verdicts>` prints what it saw.

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CRecorder.h"

extern struct dispatch_queue_s _dispatch_main_q, _dispatch_queue_attr_concurrent;
extern void *dispatch_queue_create(const char *label, void *attributes);
extern void *dispatch_get_global_queue(long identifier, unsigned long flags);
extern void dispatch_set_target_queue(void *queue, void *target);
extern void dispatch_sync_f(void *queue, void *context, void (*work)(void *));
extern void dispatch_barrier_sync_f(void *queue, void *context, void (*work)(void *));
extern void dispatch_async_and_wait_f(void *queue, void *context, void (*work)(void *));
extern void dispatch_group_async_f(void *group, void *queue, void *context, void (*work)(void *));
extern void *dispatch_group_create(void);
extern long dispatch_group_wait(void *group, uint64_t timeout);
extern void dispatch_release(void *object);
extern void dispatch_apply_f(size_t count, void *queue, void *context,
                             void (*work)(void *, size_t));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *));
extern void _dispatch_main_queue_callback_4CF(void *message);
extern void dispatch_assert_queue(void *queue);
extern void dispatch_assert_queue_not(void *queue);

// One line of control: whoever starts a step waits for it, so that no two steps block each other.
enum { queue_count = 10, first_concurrent = 6 };

typedef struct {
  uint64_t random;
  uint64_t verdicts, yes, steps, forks;
  uint64_t wanted;
  unsigned held;  // the queues this line of control holds, one bit each
  int depth;
  int waits;  // how many `async_and_wait` this is inside of
  void *queues[queue_count];
  int targets[queue_count];  // the queue each one targets; -1 for none
} control;

static unsigned pick(control *c, unsigned below) {
  c->random = c->random * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((c->random >> 33) % below);
}

static void compare(control *c, void *queue) {
  bool on = ms_queue_on(queue);
  if (on) dispatch_assert_queue(queue); else dispatch_assert_queue_not(queue);
  c->verdicts += 1;
  c->yes += on;
}

static void compare_all(control *c) {
  for (int i = 0; i < queue_count; i++) compare(c, c->queues[i]);
  compare(c, &_dispatch_main_q);
  compare(c, dispatch_get_global_queue(0, 0));
  if (ms_queue_on_main() != ms_queue_on(&_dispatch_main_q)) abort();
  if (ms_queue_on_main() != ms_queue_stamp_here().onMain) abort();
}

// MARK: - Steps

static void step(void *context);

static unsigned held_by(const control *c, int queue) {
  unsigned bits = 0;
  for (; queue >= 0; queue = c->targets[queue]) bits |= 1u << queue;
  return bits;
}

static void *thread_body(void *context) {
  step(context);
  return NULL;
}

static void step_on_thread(control *c) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, thread_body, c) != 0) abort();
  pthread_join(thread, NULL);
}

static void step_async(control *c, void *queue) {
  void *group = dispatch_group_create();
  dispatch_group_async_f(group, queue, c, step);
  dispatch_group_wait(group, ~0ull);
  dispatch_release(group);
}

// As a nested run loop does: what runs then has forgotten how the thread came there, and only the
// queues' states still tell. libdispatch refuses that inside `async_and_wait`.
static void step_in_main_drain(control *c) {
  dispatch_async_f(&_dispatch_main_q, c, step);
  _dispatch_main_queue_callback_4CF(NULL);
}

static void step_once(void *context, size_t index) {
  if (index == 0) step(context);
}

static control *interrupted;
static void handle(int signal) {
  (void)signal;
  compare_all(interrupted);
}

static void step_in_handler(control *c) {
  interrupted = c;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(SIGUSR1);
}

// The child compares where it stands: it has no other threads to go to.
static void step_in_child(control *c) {
  c->forks += 1;
  pid_t child = fork();
  if (child == 0) {
    compare_all(c);
    _exit(0);
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) abort();
}

static void step_onto(control *c, int queue) {
  unsigned before = c->held;
  c->held |= held_by(c, queue);
  void *q = c->queues[queue];
  switch (pick(c, 5)) {
    case 0: dispatch_sync_f(q, c, step); break;
    case 1: dispatch_barrier_sync_f(q, c, step); break;
    case 2:
      c->waits += 1;
      dispatch_async_and_wait_f(q, c, step);
      c->waits -= 1;
      break;
    case 3: step_async(c, q); break;
    case 4: dispatch_apply_f(3, q, c, step_once); break;
  }
  c->held = before;
}

static void step(void *context) {
  control *c = context;
  c->steps += 1;
  c->depth += 1;
  compare_all(c);
  for (unsigned again = pick(c, 3); again > 0 && c->depth < 8; again--) {
    unsigned choice = pick(c, 40);
    int queue = (int)pick(c, queue_count);
    bool on_main_thread = ms_thread_id_anew() == (uint32_t)getpid();
    if (choice == 0) step_in_child(c);
    else if (choice == 6 && on_main_thread && c->waits == 0) step_in_main_drain(c);
    else if (choice < 4) step_on_thread(c);
    else if (choice < 6) step_in_handler(c);
    else if (!(c->held & held_by(c, queue))) step_onto(c, queue);
    compare_all(c);
  }
  c->depth -= 1;
}

static void make_queues(control *c) {
  for (int i = 0; i < queue_count; i++) {
    void *kind = i < first_concurrent ? NULL : &_dispatch_queue_attr_concurrent;
    c->queues[i] = dispatch_queue_create("fuzz", kind);
    c->targets[i] = i > 0 && pick(c, 2) ? (int)pick(c, (unsigned)i) : -1;
    if (c->targets[i] >= 0) dispatch_set_target_queue(c->queues[i], c->queues[c->targets[i]]);
  }
}

int main(int count, char **arguments) {
  if (count != 3) {
    fputs("usage: queue-fuzz <seed> <verdicts>\n", stderr);
    return 2;
  }
  ms_queue_start();
  if (ms_queue_answer_level() != MS_QUEUE_EXACT) {
    fprintf(stderr, "not exact: %s\n", ms_queue_fallback_reason());
    return 1;
  }
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
  control c = {.random = strtoull(arguments[1], NULL, 10), .held = 0};
  c.wanted = strtoull(arguments[2], NULL, 10);
  while (c.verdicts < c.wanted) {
    make_queues(&c);
    for (int i = 0; i < 200 && c.verdicts < c.wanted; i++) step(&c);
    for (int i = queue_count; i-- > 0;) dispatch_release(c.queues[i]);
  }
  printf("%llu verdicts, %llu yes, %llu steps, %llu forks\n", (unsigned long long)c.verdicts,
         (unsigned long long)c.yes, (unsigned long long)c.steps, (unsigned long long)c.forks);
  return 0;
}

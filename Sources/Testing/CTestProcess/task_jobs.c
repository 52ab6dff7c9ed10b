// Passes runnable jobs of tasks to the turn taker, through the enqueue hook of the Swift runtime.
#include "CTurns.h"

#include <stdatomic.h>
#include <stddef.h>

#define SWIFT __attribute__((swiftcall))

/// The executor argument of compiled code; two zero words mean no executor.
typedef struct {
  void *identity;
  uintptr_t implementation;
} executor;

typedef SWIFT void (*enqueues)(void *job);
typedef SWIFT void (*enqueues_hook)(void *job, enqueues original);

extern enqueues_hook swift_task_enqueueGlobal_hook __attribute__((weak));
extern SWIFT void swift_task_enqueueGlobal(void *job) __attribute__((weak));
extern SWIFT void swift_job_run(void *job, executor executor) __attribute__((weak));
extern SWIFT uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));

static _Atomic(const ms_turn_taker *) the_taker;
static enqueues_hook earlier;
static __thread bool plays_here, sends_on;

bool ms_plays_turn_here(void) { return plays_here; }

bool ms_set_plays_turn_here(bool plays) {
  bool before = plays_here;
  plays_here = plays;
  return before;
}

static SWIFT void take_job(void *job, enqueues original) {
  const ms_turn_taker *taker = atomic_load(&the_taker);
  if (taker && !sends_on && taker->take((ms_turn){job, swift_task_getJobTaskId(job)})) return;
  if (earlier) return earlier(job, original);
  original(job);
}

bool ms_sees_jobs(void) {
  return &swift_task_enqueueGlobal_hook && swift_task_enqueueGlobal && swift_job_run &&
         swift_task_getJobTaskId;
}

void ms_take_turns_by(const ms_turn_taker *taker) {
  if (!ms_sees_jobs()) return;
  if (swift_task_enqueueGlobal_hook != take_job) {
    earlier = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = take_job;
  }
  atomic_store(&the_taker, taker);
}

void ms_play_turn(ms_turn turn) { swift_job_run(turn.job, (executor){NULL, 0}); }

void ms_send_turn_on(ms_turn turn) {
  sends_on = true;
  swift_task_enqueueGlobal(turn.job);
  sends_on = false;
}

// Stands between tasks and their turns. Jobs are seen by a hook of the runtime's. A task that changes its
// actor goes on at once where the runtime finds that free; here it is made to wait for its turn, as it
// would where others are in that actor.
#include "CTurns.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

typedef struct {
  void *identity;
  uintptr_t implementation;
} executor;

typedef SWIFT void (*enqueues)(void *job);
typedef SWIFT void (*enqueues_hook)(void *job, enqueues original);
typedef SWIFT_ASYNC void (*resumes)(ASYNC_CONTEXT void *context);
typedef SWIFT_ASYNC void (*changes)(ASYNC_CONTEXT void *context, resumes resume, void *identity,
                                    uintptr_t implementation);

/// What compiled code allocates to wait for a continuation, with room for what a runtime may add.
typedef struct {
  void *parent;
  resumes resume;
  uintptr_t flags;
  uintptr_t synchronization;
  void *error, *result;
  executor resumes_on;
  uintptr_t room[8];
} continuation_context;

enum { HAS_EXECUTOR = 1 << 1 };

extern enqueues_hook swift_task_enqueueGlobal_hook __attribute__((weak));
extern SWIFT void swift_task_enqueueGlobal(void *job) __attribute__((weak));
extern SWIFT void swift_job_run(void *job, executor executor) __attribute__((weak));
extern SWIFT void *swift_task_getCurrent(void) __attribute__((weak));
extern SWIFT executor swift_task_getCurrentExecutor(void) __attribute__((weak));
extern SWIFT uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern SWIFT void *swift_task_alloc(size_t size) __attribute__((weak));
extern SWIFT void swift_task_dealloc(void *memory) __attribute__((weak));
extern SWIFT void *swift_continuation_init(continuation_context *context, uintptr_t flags)
    __attribute__((weak));
extern SWIFT void swift_continuation_resume(void *task) __attribute__((weak));
extern SWIFT_ASYNC void swift_continuation_await(continuation_context *context)
    __attribute__((weak));

static _Atomic(const ms_turn_taker *) the_taker;
static __thread bool plays_here, gives_back;

bool ms_plays_turn_here(void) { return plays_here; }

// MARK: Jobs

/// Whether a job is a part of a task: the kind is the first byte behind the object's head and the two
/// words of whoever schedules it.
static uint8_t kind_of(void *job) { return ((const uint8_t *)job)[4 * sizeof(void *)]; }

enum { KIND_OF_TASKS = 0, KIND_OF_RESUMERS = 195 };

static bool is_task(void *job) { return kind_of(job) == KIND_OF_TASKS; }

// MARK: Tasks that let others go first
//
// Such a task sends a job to its pool which resumes it, and then waits. Where a turn is played, that job runs
// once the task waits: else it would be the pool's business when, and whether the task waits at all.

/// The jobs that resume tasks of the turn that is played here, the first one first. They are linked by the word
/// that is there for whoever schedules them.
static __thread void *first_resumer, *last_resumer;

static void **next_of(void *job) { return (void **)job + 2; }

bool ms_takes_resumer(void *job) {
  if (!plays_here || gives_back || kind_of(job) != KIND_OF_RESUMERS) return false;
  *next_of(job) = NULL;
  if (first_resumer) {
    *next_of(last_resumer) = job;
  } else {
    first_resumer = job;
  }
  last_resumer = job;
  return true;
}

static void run_resumers(void) {
  while (first_resumer) {
    void *job = first_resumer;
    first_resumer = *next_of(job);
    *next_of(job) = NULL;
    swift_job_run(job, (executor){NULL, 0});
  }
}

static enqueues_hook earlier;

static SWIFT void take_job(void *job, enqueues original) {
  const ms_turn_taker *taker = atomic_load(&the_taker);
  if (ms_takes_resumer(job)) return;
  if (taker && taker->takesJobs && !gives_back) {
    if (taker->take((ms_turn){job, false, is_task(job) ? swift_task_getJobTaskId(job) : 0})) return;
  }
  if (earlier) {
    earlier(job, original);
  } else {
    original(job);
  }
}

bool ms_sees_jobs(void) {
  return &swift_task_enqueueGlobal_hook && swift_task_enqueueGlobal && swift_job_run &&
         swift_task_getJobTaskId && swift_task_getCurrent;
}

void ms_take_turns_by(const ms_turn_taker *taker) {
  if (ms_sees_jobs() && taker && taker->takesJobs && swift_task_enqueueGlobal_hook != take_job) {
    earlier = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = take_job;
  }
  atomic_store(&the_taker, taker);
}

void ms_play_turn(ms_turn turn) {
  bool before = plays_here;
  plays_here = true;
  if (turn.isChange) {
    swift_continuation_resume(turn.work);
  } else {
    swift_job_run(turn.work, (executor){NULL, 0});
  }
  run_resumers();
  plays_here = before;
}

void ms_give_turn_back(ms_turn turn) {
  gives_back = true;
  if (turn.isChange) {
    swift_continuation_resume(turn.work);
  } else {
    swift_task_enqueueGlobal(turn.work);
  }
  gives_back = false;
}

// MARK: Changes of actors

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN_BY_SANITIZER 1
#endif
#endif

#if !defined(SEEN_BY_SANITIZER) && (defined(__x86_64__) || defined(__aarch64__))

static changes real_change(void) {
  static _Atomic(changes) found;
  changes function = atomic_load(&found);
  if (function == NULL) {
    function = (changes)dlsym(RTLD_NEXT, "swift_task_switch");
    atomic_store(&found, function);
  }
  return function;
}

/// A task that waits for its turn to change its actor.
typedef struct {
  continuation_context continuation;
  void *context;
  resumes resume;
  executor to;
} waiting_change;

static SWIFT_ASYNC void go_on(ASYNC_CONTEXT void *context) {
  waiting_change *waiting = context;
  waiting_change change = *waiting;
  swift_task_dealloc(waiting);
  // It is there already, and the runtime sees that.
  return real_change()(change.context, change.resume, change.to.identity,
                       change.to.implementation);
}

__attribute__((noinline)) static waiting_change *take_change(void *context, resumes resume,
                                                             executor to) {
  const ms_turn_taker *taker = atomic_load(&the_taker);
  if (taker == NULL || swift_task_getCurrentExecutor().identity == to.identity) return NULL;
  void *task = swift_task_getCurrent();
  if (task == NULL || !taker->takes(swift_task_getJobTaskId(task))) return NULL;
  waiting_change *waiting = swift_task_alloc(sizeof *waiting);
  memset(waiting, 0, sizeof *waiting);
  waiting->context = context;
  waiting->resume = resume;
  waiting->to = to;
  waiting->continuation.parent = context;
  waiting->continuation.resume = go_on;
  // As the runtime does where an actor is held: the task is enqueued there.
  waiting->continuation.resumes_on = to;
  swift_continuation_init(&waiting->continuation, HAS_EXECUTOR);
  if (!taker->take((ms_turn){task, true, swift_task_getJobTaskId(task)})) {
    swift_continuation_resume(task);
  }
  return waiting;
}

// Weak, for where the runtime is linked statically, its own stays.
__attribute__((weak, visibility("default"), noinline)) SWIFT_ASYNC void swift_task_switch(
    ASYNC_CONTEXT void *context, resumes resume, void *identity, uintptr_t implementation) {
  waiting_change *waiting = take_change(context, resume, (executor){identity, implementation});
  if (waiting == NULL) return real_change()(context, resume, identity, implementation);
  return swift_continuation_await(&waiting->continuation);
}

bool ms_sees_changes(void) {
  return dlsym(RTLD_DEFAULT, "swift_task_switch") == (void *)swift_task_switch &&
         real_change() != NULL && swift_continuation_init && swift_continuation_await &&
         swift_task_alloc;
}

#else

bool ms_sees_changes(void) { return false; }

#endif

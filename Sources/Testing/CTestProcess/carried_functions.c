// Interposes the functions that send function pointers, such as hops and jobs of tasks.
#include "carried_context.h"

#if !defined(SEEN_BY_SANITIZER)

typedef void (*sends_function)(void *queue, void *context, work_function work);
typedef void (*sends_function_later)(uint64_t when, void *queue, void *context, work_function work);
typedef void (*sets_function)(void *source, work_function work);
typedef void (*sets_timer)(void *source, uint64_t when, uint64_t interval, uint64_t leeway);
typedef struct {
  void *task, *context;
} new_task;
typedef new_task (*creates_task)(size_t flags, void *options, const void *type, void *entry,
                                 void *context);

REAL(dispatch_async_f, sends_function)
REAL(dispatch_after_f, sends_function_later)
REAL(dispatch_source_set_event_handler_f, sets_function)
REAL(dispatch_source_set_timer, sets_timer)
REAL(swift_task_create, creates_task)

extern uint64_t dispatch_time(uint64_t when, int64_t delta) __attribute__((weak));
extern void *dispatch_get_context(void *object) __attribute__((weak));
extern void dispatch_set_context(void *object, void *context) __attribute__((weak));
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags) __attribute__((weak));

/// The top two bits of a Dispatch time identify its clock.
uint64_t ms_delay_until(uint64_t when) {
  static const uint64_t uptime_now = 0, monotonic_now = 1ull << 63, wall_now = ~1ull;
  if (!dispatch_time || when == UINT64_MAX) return UINT64_MAX;
  if (when >> 62 == 3) {
    // Wall times are stored as negative numbers.
    int64_t delay = (int64_t)dispatch_time(wall_now, 0) - (int64_t)when;
    return delay > 0 ? (uint64_t)delay : 0;
  }
  uint64_t now = dispatch_time(when >> 63 ? monotonic_now : uptime_now, 0);
  return when > now ? when - now : 0;
}

struct ms_held_work {
  void *queue;
  void *context;
  work_function work;
  const ms_carrier *carrier;
  void *carried;
  bool is_job;
};

static void ms_run_sent(void *context) {
  ms_held_work sent = *(ms_held_work *)context;
  free(context);
  sent.carrier->run(sent.carried, sent.work, sent.context);
  sent.carrier->drop(sent.carried);
}

void ms_let_go(ms_held_work *work) { real_dispatch_async_f()(work->queue, work, ms_run_sent); }

static ms_held_work *held(void *queue, void *context, work_function work, ms_sending sending,
                          uint64_t delay, bool is_job) {
  const ms_carrier *carrier = ms_the_carrier();
  if (carrier == NULL) return NULL;
  void *carried = carrier->take(sending, delay);
  if (carried == NULL) return NULL;
  ms_held_work *sent = malloc(sizeof *sent);
  if (sent == NULL) abort();
  *sent = (ms_held_work){queue, context, work, carrier, carried, is_job};
  return sent;
}

static ms_held_work *function_sent(void *queue, void *context, work_function work, uint64_t delay,
                                   bool is_late, uintptr_t caller) {
  bool is_job = ms_is_of_tasks(caller);
  ms_sending sending = is_late ? MS_SENT_LATER : is_job ? MS_SENT_JOB : MS_SENT_ONCE;
  return held(queue, context, work, ms_is_of_library(caller) ? MS_SENT_OPAQUE : sending, delay,
              is_job);
}

static ms_held_work *part_sent(void *queue, void *part, work_function work) {
  return held(queue, part, work, MS_SENT_JOB, 0, true);
}

static void do_nothing(void *context) { (void)context; }

void ms_mark(void *queue, uint64_t when, uint64_t delay, uintptr_t caller) {
  ms_held_work *sent;
  ASIDE(sent = function_sent(queue, NULL, do_nothing, delay, when != 0, caller));
  if (sent == NULL) return;
  if (when) return real_dispatch_after_f()(when, queue, sent, ms_run_sent);
  ms_let_go(sent);
}

/// Runs when a delayed job is due. From then on, the job can be held like any other job.
static void ms_arrive_late(void *context) {
  ms_held_work *sent = context;
  bool is_on_main = sent->queue == (void *)&_dispatch_main_q;
  if (!sent->carrier->hold(sent->carried, sent, is_on_main)) ms_run_sent(sent);
}

static void send(void *queue, ms_held_work *sent) {
  bool is_on_main = queue == (void *)&_dispatch_main_q;
  if (sent->is_job && sent->carrier->hold(sent->carried, sent, is_on_main)) return;
  ms_let_go(sent);
}

SEEN void dispatch_async_f(void *queue, void *context, work_function work) {
  ms_held_work *sent;
  ASIDE(sent = function_sent(queue, context, work, 0, false, CALLER));
  if (sent == NULL) return real_dispatch_async_f()(queue, context, work);
  send(queue, sent);
}

void ms_send_part(void *part, work_function work) {
  void *queue = dispatch_get_global_queue(0, 0);
  ms_held_work *sent;
  ASIDE(sent = part_sent(queue, part, work));
  if (sent == NULL) return real_dispatch_async_f()(queue, part, work);
  send(queue, sent);
}

SEEN void dispatch_after_f(uint64_t when, void *queue, void *context, work_function work) {
  ms_held_work *sent;
  ASIDE(sent = function_sent(queue, context, work, ms_delay_until(when), true, CALLER));
  if (sent == NULL) return real_dispatch_after_f()(when, queue, context, work);
  real_dispatch_after_f()(when, queue, sent, sent->is_job ? ms_arrive_late : ms_run_sent);
}

/// The timer of a sleeping task: the runtime sets the time, then the context, then the function.
static __thread struct {
  void *source;
  uint64_t when;
} last_timer;

SEEN void dispatch_source_set_timer(void *source, uint64_t when, uint64_t interval,
                                    uint64_t leeway) {
  if (ms_is_of_tasks(CALLER)) {
    last_timer.source = source;
    last_timer.when = when;
  }
  real_dispatch_source_set_timer()(source, when, interval, leeway);
}

SEEN void dispatch_source_set_event_handler_f(void *source, work_function work) {
  uintptr_t caller = CALLER;
  if (last_timer.source == source && ms_is_of_tasks(caller) && dispatch_get_context) {
    last_timer.source = NULL;
    ms_held_work *sent;
    ASIDE(sent = function_sent(dispatch_get_global_queue(0, 0), dispatch_get_context(source), work,
                               ms_delay_until(last_timer.when), true, caller));
    if (sent) {
      dispatch_set_context(source, sent);
      return real_dispatch_source_set_event_handler_f()(source, ms_arrive_late);
    }
  }
  real_dispatch_source_set_event_handler_f()(source, work);
}

enum { COPIES_VALUES = 1 << 10, IS_CHILD = 1 << 8 };

SEEN new_task swift_task_create(size_t flags, void *options, const void *type, void *entry,
                                void *context) {
  new_task made = real_swift_task_create()(flags, options, type, entry, context);
  const ms_carrier *carrier = ms_the_carrier();
  if (carrier) ASIDE(carrier->created(made.task, flags & (COPIES_VALUES | IS_CHILD)));
  return made;
}

#else

extern void dispatch_async_f(void *queue, void *context, work_function work);
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);

void ms_let_go(ms_held_work *work) { (void)work; }

void ms_send_part(void *part, work_function work) {
  dispatch_async_f(dispatch_get_global_queue(0, 0), part, work);
}

#endif

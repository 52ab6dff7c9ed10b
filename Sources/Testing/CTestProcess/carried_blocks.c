// Interposes the Dispatch functions that send blocks or wait for blocks.
#include "carried_context.h"

#if !defined(SEEN_BY_SANITIZER)

/// The layout of a block, as compilers emit it.
typedef struct {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
  const void *descriptor;
} block;

extern void *_NSConcreteStackBlock[] __attribute__((weak));
extern void *_Block_copy(const void *) __attribute__((weak));
extern void _Block_release(const void *) __attribute__((weak));

static void ms_call_block(void *context) { ((block *)context)->invoke(context); }

typedef void (*sends_function)(void *queue, void *context, work_function work);
typedef void (*sends_block)(void *queue, void *sent);
typedef void (*sends_block_later)(uint64_t when, void *queue, void *sent);
typedef void (*sends_block_in_group)(void *group, void *queue, void *sent);
typedef void (*applies_block)(size_t count, void *queue, void *sent);
typedef void (*applies_function)(size_t count, void *queue, void *context,
                                 void (*work)(void *, size_t));
typedef void *(*makes_block)(unsigned long flags, void *inner);
typedef void *(*makes_block_of_class)(unsigned long flags, unsigned qos, int relative, void *inner);

REAL(dispatch_async, sends_block)
REAL(dispatch_barrier_async, sends_block)
REAL(dispatch_sync, sends_block)
REAL(dispatch_sync_f, sends_function)
REAL(dispatch_after, sends_block_later)
REAL(dispatch_group_async, sends_block_in_group)
REAL(dispatch_group_notify, sends_block_in_group)
REAL(dispatch_source_set_event_handler, sends_block)
REAL(dispatch_source_set_cancel_handler, sends_block)
REAL(dispatch_apply, applies_block)
REAL(dispatch_apply_f, applies_function)
REAL(dispatch_block_create, makes_block)
REAL(dispatch_block_create_with_qos_class, makes_block_of_class)

extern void dispatch_async_f(void *queue, void *context, work_function work);
extern void *const _dispatch_block_special_invoke __attribute__((weak));

/// A block that wraps another block together with its context.
typedef struct {
  block head;
  void *inner;
  const ms_carrier *carrier;
  void *carried;
} carrying_block;

static void ms_invoke_carrying(void *context) {
  carrying_block *carrying = context;
  carrying->carrier->run(carrying->carried, ms_call_block, carrying->inner);
}

static void copy_carrying(void *to, void *from) { (void)to, (void)from; }

static void dispose_carrying(void *context) {
  carrying_block *carrying = context;
  _Block_release(carrying->inner);
  ASIDE(carrying->carrier->drop(carrying->carried));
}

static const struct {
  unsigned long reserved, size;
  void (*copy)(void *, void *);
  void (*dispose)(void *);
} carrying_layout = {0, sizeof(carrying_block), copy_carrying, dispose_carrying};

enum { BLOCK_HAS_HELPERS = 1 << 25 };

static bool is_special(void *sent) {
  return sent && &_dispatch_block_special_invoke &&
         (void *)((block *)sent)->invoke == _dispatch_block_special_invoke;
}

/// Returns the block to send instead of `sent`; NULL if the block carries no context.
static block *carrying(void *sent, ms_sending sending, uint64_t delay, uintptr_t caller) {
  const ms_carrier *carrier = ms_the_carrier();
  if (carrier == NULL || !_Block_copy || sent == NULL) return NULL;
  // A block made by `dispatch_block_create` already carries its context inside.
  if (is_special(sent)) return NULL;
  void *carried = carrier->take(ms_is_of_library(caller) ? MS_SENT_OPAQUE : sending, delay);
  if (carried == NULL) return NULL;
  carrying_block made = {
      .head = {_NSConcreteStackBlock, BLOCK_HAS_HELPERS, 0, ms_invoke_carrying, &carrying_layout},
      .inner = _Block_copy(sent),
      .carrier = carrier,
      .carried = carried};
  return _Block_copy(&made);
}

/// Sends a block wrapped with its context, or unchanged if it carries no context.
#define SEND(sent, sending, delay, call)                       \
  do {                                                         \
    block *ours;                                               \
    ASIDE(ours = carrying(sent, sending, delay, CALLER));      \
    void *work = ours ? (void *)ours : sent;                   \
    call;                                                      \
    if (ours) _Block_release(ours);                            \
  } while (0)

SEEN void dispatch_async(void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_async()(queue, work));
  if (is_special(sent)) ms_mark(queue, 0, 0, CALLER);
}

SEEN void dispatch_barrier_async(void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_barrier_async()(queue, work));
}

SEEN void dispatch_after(uint64_t when, void *queue, void *sent) {
  uint64_t delay = ms_delay_until(when);
  SEND(sent, MS_SENT_LATER, delay, real_dispatch_after()(when, queue, work));
  if (is_special(sent)) ms_mark(queue, when, delay, CALLER);
}

SEEN void dispatch_group_async(void *group, void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_group_async()(group, queue, work));
  if (is_special(sent)) ms_mark(queue, 0, 0, CALLER);
}

SEEN void dispatch_group_notify(void *group, void *queue, void *sent) {
  // A group may never become empty, so no test waits for this block.
  SEND(sent, MS_SENT_AGAIN, 0, real_dispatch_group_notify()(group, queue, work));
}

SEEN void dispatch_source_set_event_handler(void *source, void *sent) {
  // The events of a source, mostly of a timer, have no sender.
  SEND(sent, MS_SENT_AGAIN, 1, real_dispatch_source_set_event_handler()(source, work));
}

SEEN void dispatch_source_set_cancel_handler(void *source, void *sent) {
  SEND(sent, MS_SENT_AGAIN, 0, real_dispatch_source_set_cancel_handler()(source, work));
}

/// A block whose sender waits for it to finish.
typedef struct {
  void *sent;
  const ms_carrier *carrier;
  void *carried;
} awaited_work;

static void ms_run_awaited(void *context) {
  awaited_work *work = context;
  work->carrier->run(work->carried, ms_call_block, work->sent);
}

// Only a block for the main queue needs its context: on other queues, it runs on the sender's
// thread.
SEEN void dispatch_sync(void *queue, void *sent) {
  const ms_carrier *carrier = ms_the_carrier();
  bool goes_along = carrier && queue == (void *)&_dispatch_main_q && !is_special(sent);
  void *carried = NULL;
  if (goes_along) ASIDE(carried = carrier->take(MS_SENT_HERE, 0));
  if (carried == NULL) return real_dispatch_sync()(queue, sent);
  real_dispatch_sync_f()(queue, &(awaited_work){sent, carrier, carried}, ms_run_awaited);
  ASIDE(carrier->drop(carried));
}

typedef struct {
  awaited_work *work;
  size_t index;
} one_of_many;

static void ms_call_indexed(void *context) {
  one_of_many *one = context;
  block *sent = one->work->sent;
  ((void (*)(void *, size_t))sent->invoke)(sent, one->index);
}

static void ms_run_indexed(void *context, size_t index) {
  one_of_many one = {context, index};
  one.work->carrier->run(one.work->carried, ms_call_indexed, &one);
}

SEEN void dispatch_apply(size_t count, void *queue, void *sent) {
  const ms_carrier *carrier = ms_the_carrier();
  void *carried = NULL;
  if (carrier) ASIDE(carried = carrier->take(MS_SENT_HERE, 0));
  if (carried == NULL) return real_dispatch_apply()(count, queue, sent);
  real_dispatch_apply_f()(count, queue, &(awaited_work){sent, carrier, carried}, ms_run_indexed);
  ASIDE(carrier->drop(carried));
}

SEEN void *dispatch_block_create(unsigned long flags, void *inner) {
  void *made;
  SEND(inner, MS_SENT_AGAIN, 0, made = real_dispatch_block_create()(flags, work));
  return made;
}

SEEN void *dispatch_block_create_with_qos_class(unsigned long flags, unsigned qos, int relative,
                                                void *inner) {
  void *made;
  SEND(inner, MS_SENT_AGAIN, 0,
       made = real_dispatch_block_create_with_qos_class()(flags, qos, relative, work));
  return made;
}

bool ms_carries(void) {
  return dlsym(RTLD_DEFAULT, "dispatch_async_f") == (void *)dispatch_async_f &&
         dlsym(RTLD_DEFAULT, "dispatch_async") == (void *)dispatch_async && ms_sees_tasks();
}

#else

bool ms_carries(void) { return false; }

#endif

// Stands in front of the functions that send work, so that a test's identity goes along with what it
// sends. All definitions are weak: where the runtime is linked statically, its own stay.
#include "CCarrying.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "CStackWalk.h"

static _Atomic(const ms_carrier *) the_carrier;
static __thread void *carried_here;

void *ms_carried_here(void) { return carried_here; }

void *ms_set_carried_here(void *carried) {
  void *before = carried_here;
  carried_here = carried;
  return before;
}

// MARK: Who sends

enum { MOST_RANGES = 4 };

typedef struct {
  uintptr_t start[MOST_RANGES], end[MOST_RANGES];
  unsigned count;
} code_ranges;

/// Swift's tasks; the Swift face of Dispatch; Dispatch; libraries that send what others asked for.
static code_ranges tasks, faces, dispatch, libraries;

static code_ranges *ranges_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (strncmp(name, "libswift_Concurrency", 20) == 0) return &tasks;
  if (strncmp(name, "libswiftDispatch", 16) == 0) return &faces;
  if (strncmp(name, "libdispatch", 11) == 0) return &dispatch;
  if (strncmp(name, "libFoundation", 13) == 0) return &libraries;
  return NULL;
}

static int learn_module(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size, (void)argument;
  code_ranges *ranges = ranges_of(info->dlpi_name);
  for (int i = 0; ranges && i < info->dlpi_phnum && ranges->count < MOST_RANGES; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    ranges->start[ranges->count] = info->dlpi_addr + header->p_vaddr;
    ranges->end[ranges->count] = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    ranges->count += 1;
  }
  return 0;
}

static void learn_modules(void) { dl_iterate_phdr(learn_module, NULL); }

static bool contains(const code_ranges *ranges, uintptr_t address) {
  for (unsigned i = 0; i < ranges->count; i++) {
    if (address >= ranges->start[i] && address < ranges->end[i]) return true;
  }
  return false;
}

void ms_carry_by(const ms_carrier *carrier) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, learn_modules);
  atomic_store(&the_carrier, carrier);
}

/// Whether a library sends, through the Swift face of Dispatch or without it.
static bool is_of_library(uintptr_t caller) {
  if (!contains(&faces, caller)) return contains(&libraries, caller);
  uintptr_t frames[12];
  ms_walk_end end;
  uint32_t count = ms_walk_here(frames, 12, 0, &end);
  bool seen_face = false;
  for (uint32_t i = 0; i < count; i++) {
    bool is_face = contains(&faces, frames[i]);
    if (seen_face && !is_face) return contains(&libraries, frames[i]);
    seen_face |= is_face;
  }
  return false;
}

// MARK: Work on its way

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN_BY_SANITIZER 1
#endif
#endif

typedef void (*work_function)(void *);

/// A block as compilers lay it out.
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

uint64_t ms_id_of_task(void *task) {
  static _Atomic(uint64_t (*)(void *)) find;
  uint64_t (*found)(void *) = atomic_load(&find);
  if (found == NULL) {
    found = (uint64_t (*)(void *))dlsym(RTLD_DEFAULT, "swift_task_getJobTaskId");
    if (found == NULL) return 0;
    atomic_store(&find, found);
  }
  return found(task);
}

#if !defined(SEEN_BY_SANITIZER)

#define CALLER ((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))
#define SEEN __attribute__((weak, visibility("default"), noinline))

/// The function that ours stands in front of.
#define REAL(name, type)                                              \
  static type real_##name(void) {                                     \
    static _Atomic(type) found;                                       \
    type function = atomic_load(&found);                              \
    if (function == NULL) {                                           \
      function = (type)dlsym(RTLD_NEXT, #name);                       \
      atomic_store(&found, function);                                 \
    }                                                                 \
    return function;                                                  \
  }

typedef void (*sends_function)(void *queue, void *context, work_function work);
typedef void (*sends_function_later)(uint64_t when, void *queue, void *context, work_function work);
typedef void (*sets_function)(void *source, work_function work);
typedef void (*sets_timer)(void *source, uint64_t when, uint64_t interval, uint64_t leeway);
typedef void (*sends_block)(void *queue, void *sent);
typedef void (*sends_block_later)(uint64_t when, void *queue, void *sent);
typedef void (*sends_block_in_group)(void *group, void *queue, void *sent);
typedef void (*applies_block)(size_t count, void *queue, void *sent);
typedef void (*applies_function)(size_t count, void *queue, void *context,
                                 void (*work)(void *, size_t));
typedef void *(*makes_block)(unsigned long flags, void *inner);
typedef void *(*makes_block_of_class)(unsigned long flags, unsigned qos, int relative, void *inner);
typedef struct {
  void *task, *context;
} new_task;
typedef new_task (*creates_task)(size_t flags, void *options, const void *type, void *entry,
                                 void *context);

REAL(dispatch_async_f, sends_function)
REAL(dispatch_after_f, sends_function_later)
REAL(dispatch_async, sends_block)
REAL(dispatch_barrier_async, sends_block)
REAL(dispatch_sync, sends_block)
REAL(dispatch_after, sends_block_later)
REAL(dispatch_group_async, sends_block_in_group)
REAL(dispatch_group_notify, sends_block_in_group)
REAL(dispatch_source_set_event_handler, sends_block)
REAL(dispatch_source_set_event_handler_f, sets_function)
REAL(dispatch_source_set_timer, sets_timer)
REAL(dispatch_source_set_cancel_handler, sends_block)
REAL(dispatch_sync_f, sends_function)
REAL(dispatch_apply, applies_block)
REAL(dispatch_apply_f, applies_function)
REAL(dispatch_block_create, makes_block)
REAL(dispatch_block_create_with_qos_class, makes_block_of_class)
REAL(swift_task_create, creates_task)

extern uint64_t dispatch_time(uint64_t when, int64_t delta) __attribute__((weak));
extern void *dispatch_get_context(void *object) __attribute__((weak));
extern void dispatch_set_context(void *object, void *context) __attribute__((weak));
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags) __attribute__((weak));
extern char _dispatch_main_q __attribute__((weak));
extern void *const _dispatch_block_special_invoke __attribute__((weak));

/// Dispatch's three clocks tell themselves apart by the first two bits.
static uint64_t delay_until(uint64_t when) {
  static const uint64_t uptime_now = 0, monotonic_now = 1ull << 63, wall_now = ~1ull;
  if (!dispatch_time || when == UINT64_MAX) return UINT64_MAX;
  if (when >> 62 == 3) {
    // Counted down from nothing.
    int64_t delay = (int64_t)dispatch_time(wall_now, 0) - (int64_t)when;
    return delay > 0 ? (uint64_t)delay : 0;
  }
  uint64_t now = dispatch_time(when >> 63 ? monotonic_now : uptime_now, 0);
  return when > now ? when - now : 0;
}

// MARK: Sent work

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
  if (sent.is_job) {
    void *before = ms_set_carried_here(sent.carried);
    sent.work(sent.context);
    ms_set_carried_here(before);
  } else {
    sent.carrier->run(sent.carried, sent.work, sent.context);
  }
  sent.carrier->drop(sent.carried);
}

void ms_let_go(ms_held_work *work) { real_dispatch_async_f()(work->queue, work, ms_run_sent); }

static ms_held_work *function_sent(void *queue, void *context, work_function work, uint64_t delay,
                                   bool is_late, uintptr_t caller) {
  const ms_carrier *carrier = atomic_load(&the_carrier);
  if (carrier == NULL) return NULL;
  bool is_job = contains(&tasks, caller);
  ms_sending sending = is_late ? MS_SENT_LATER : is_job ? MS_SENT_JOB : MS_SENT_ONCE;
  void *carried = carrier->take(is_of_library(caller) ? MS_SENT_OPAQUE : sending, delay);
  if (carried == NULL) return NULL;
  ms_held_work *sent = malloc(sizeof *sent);
  if (sent == NULL) abort();
  *sent = (ms_held_work){queue, context, work, carrier, carried, is_job};
  return sent;
}

static void do_nothing(void *context) { (void)context; }

/// Sends a mark after what cannot be seen to end: it comes once that has begun, on a serial queue once it
/// has ended.
static void mark(void *queue, uint64_t when, uint64_t delay, uintptr_t caller) {
  ms_held_work *sent = function_sent(queue, NULL, do_nothing, delay, when != 0, caller);
  if (sent == NULL) return;
  if (when) return real_dispatch_after_f()(when, queue, sent, ms_run_sent);
  ms_let_go(sent);
}

// MARK: Blocks

/// A block around another, with what goes along.
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
  carrying->carrier->drop(carrying->carried);
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

/// The block to send instead of `sent`; NULL where nothing goes along.
static block *carrying(void *sent, ms_sending sending, uint64_t delay, uintptr_t caller) {
  const ms_carrier *carrier = atomic_load(&the_carrier);
  if (carrier == NULL || !_Block_copy || sent == NULL) return NULL;
  // One that can be cancelled, waited for and told how to run has an inside that carries.
  if (is_special(sent)) return NULL;
  void *carried = carrier->take(is_of_library(caller) ? MS_SENT_OPAQUE : sending, delay);
  if (carried == NULL) return NULL;
  carrying_block made = {
      .head = {_NSConcreteStackBlock, BLOCK_HAS_HELPERS, 0, ms_invoke_carrying, &carrying_layout},
      .inner = _Block_copy(sent),
      .carrier = carrier,
      .carried = carried};
  return _Block_copy(&made);
}

/// Sends with what goes along, or as it is.
#define SEND(sent, sending, delay, call)                       \
  do {                                                         \
    block *ours = carrying(sent, sending, delay, CALLER);      \
    void *work = ours ? (void *)ours : sent;                   \
    call;                                                      \
    if (ours) _Block_release(ours);                            \
  } while (0)

SEEN void dispatch_async(void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_async()(queue, work));
  if (is_special(sent)) mark(queue, 0, 0, CALLER);
}

SEEN void dispatch_barrier_async(void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_barrier_async()(queue, work));
}

SEEN void dispatch_after(uint64_t when, void *queue, void *sent) {
  uint64_t delay = delay_until(when);
  SEND(sent, MS_SENT_LATER, delay, real_dispatch_after()(when, queue, work));
  if (is_special(sent)) mark(queue, when, delay, CALLER);
}

SEEN void dispatch_group_async(void *group, void *queue, void *sent) {
  SEND(sent, MS_SENT_ONCE, 0, real_dispatch_group_async()(group, queue, work));
  if (is_special(sent)) mark(queue, 0, 0, CALLER);
}

SEEN void dispatch_group_notify(void *group, void *queue, void *sent) {
  // It may wait for a group that nobody ever leaves.
  SEND(sent, MS_SENT_AGAIN, 0, real_dispatch_group_notify()(group, queue, work));
}

SEEN void dispatch_source_set_event_handler(void *source, void *sent) {
  SEND(sent, MS_SENT_AGAIN, 0, real_dispatch_source_set_event_handler()(source, work));
}

SEEN void dispatch_source_set_cancel_handler(void *source, void *sent) {
  SEND(sent, MS_SENT_AGAIN, 0, real_dispatch_source_set_cancel_handler()(source, work));
}

/// Work that its sender waits for.
typedef struct {
  void *sent;
  const ms_carrier *carrier;
  void *carried;
} awaited_work;

static void ms_run_awaited(void *context) {
  awaited_work *work = context;
  work->carrier->run(work->carried, ms_call_block, work->sent);
}

// Elsewhere it runs on the sender's thread.
SEEN void dispatch_sync(void *queue, void *sent) {
  const ms_carrier *carrier = atomic_load(&the_carrier);
  bool goes_along = carrier && queue == (void *)&_dispatch_main_q && !is_special(sent);
  void *carried = goes_along ? carrier->take(MS_SENT_HERE, 0) : NULL;
  if (carried == NULL) return real_dispatch_sync()(queue, sent);
  real_dispatch_sync_f()(queue, &(awaited_work){sent, carrier, carried}, ms_run_awaited);
  carrier->drop(carried);
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
  const ms_carrier *carrier = atomic_load(&the_carrier);
  void *carried = carrier ? carrier->take(MS_SENT_HERE, 0) : NULL;
  if (carried == NULL) return real_dispatch_apply()(count, queue, sent);
  real_dispatch_apply_f()(count, queue, &(awaited_work){sent, carrier, carried}, ms_run_indexed);
  carrier->drop(carried);
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

// MARK: Functions: hops, and parts of tasks

/// A job whose time has come: from now on it is like any other.
static void ms_arrive_late(void *context) {
  ms_held_work *sent = context;
  if (sent->queue == (void *)&_dispatch_main_q || !sent->carrier->hold(sent->carried, sent)) {
    ms_run_sent(sent);
  }
}

SEEN void dispatch_async_f(void *queue, void *context, work_function work) {
  ms_held_work *sent = function_sent(queue, context, work, 0, false, CALLER);
  if (sent == NULL) return real_dispatch_async_f()(queue, context, work);
  if (sent->is_job && queue != (void *)&_dispatch_main_q &&
      sent->carrier->hold(sent->carried, sent)) {
    return;
  }
  ms_let_go(sent);
}

SEEN void dispatch_after_f(uint64_t when, void *queue, void *context, work_function work) {
  ms_held_work *sent = function_sent(queue, context, work, delay_until(when), true, CALLER);
  if (sent == NULL) return real_dispatch_after_f()(when, queue, context, work);
  real_dispatch_after_f()(when, queue, sent, sent->is_job ? ms_arrive_late : ms_run_sent);
}

/// A task that sleeps: the runtime sets a timer's time, then what it hands over, then what it calls.
static __thread struct {
  void *source;
  uint64_t when;
} last_timer;

SEEN void dispatch_source_set_timer(void *source, uint64_t when, uint64_t interval,
                                    uint64_t leeway) {
  if (contains(&tasks, CALLER)) {
    last_timer.source = source;
    last_timer.when = when;
  }
  real_dispatch_source_set_timer()(source, when, interval, leeway);
}

SEEN void dispatch_source_set_event_handler_f(void *source, work_function work) {
  uintptr_t caller = CALLER;
  if (last_timer.source == source && contains(&tasks, caller) && dispatch_get_context) {
    last_timer.source = NULL;
    ms_held_work *sent =
        function_sent(dispatch_get_global_queue(0, 0), dispatch_get_context(source), work,
                      delay_until(last_timer.when), true, caller);
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
  const ms_carrier *carrier = atomic_load(&the_carrier);
  if (carrier) carrier->created(made.task, flags & (COPIES_VALUES | IS_CHILD));
  return made;
}

bool ms_carries(void) {
  return dlsym(RTLD_DEFAULT, "dispatch_async_f") == (void *)dispatch_async_f &&
         dlsym(RTLD_DEFAULT, "dispatch_async") == (void *)dispatch_async && tasks.count > 0;
}

// MARK: Threads

/// Asked by what stands in front of `pthread_create`: what goes along with a thread.
void *ms_thread_takes(uintptr_t caller) {
  const ms_carrier *carrier = atomic_load(&the_carrier);
  // Workers serve everybody.
  if (carrier == NULL || contains(&dispatch, caller) || contains(&tasks, caller)) return NULL;
  return carrier->take(MS_SENT_AGAIN, 0);
}

void ms_thread_begins(void *carried) { carried_here = carried; }

#else

void ms_let_go(ms_held_work *work) { (void)work; }
bool ms_carries(void) { return false; }

#endif

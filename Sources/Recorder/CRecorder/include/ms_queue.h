// Identifies the queue of the current thread: exact, without trapping, by memory loads alone.
//
// libdispatch's own check, `dispatch_assert_queue`, traps on failure. The check compares two fields of libdispatch:
// the owner in the queue's drain lock, and the queues on whose behalf this thread runs (its current queue, the frames
// below it, their target queues). `ms_queue_start` learns the offsets of these fields and verifies the result against
// libdispatch; afterwards the functions below read the fields (docs/internals/on-main.md).
//
// Signal safety: after `ms_queue_start` has returned, every function here may be called from a signal handler, unless
// its comment says otherwise. The first call in a process runs `ms_queue_start`, which is not safe. If libdispatch
// was loaded by `dlopen`, or after a fallback, the first call of a thread allocates.
#ifndef MAINSTAY_CQUEUESTATE_H
#define MAINSTAY_CQUEUESTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ms_thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The execution place of a thread, stored in each crumb.
typedef struct {
  uint64_t serial;    ///< the queue's serial number, never reused; 0 outside Dispatch
  const char *label;  ///< valid as long as the queue; NULL without a queue
  uint32_t thread;    ///< the kernel's thread id; libdispatch uses the same; unchanged in a forked child
  bool onMain;        ///< true if main-queue work may run here
} ms_queue_stamp;

/// The level of certainty of the queue checks in this process.
typedef enum {
  MS_QUEUE_UNKNOWN = 0,  ///< not started
  MS_QUEUE_CHAIN = 1,    ///< uses exported symbols only: `true` is certain, `false` means unknown
  MS_QUEUE_EXACT = 2,    ///< uses libdispatch's own test, whose layout was learned and verified at start
} ms_queue_level;

/// Offsets of libdispatch's fields; written once, before `direct` is published.
typedef struct {
  uint32_t direct;      ///< nonzero if the functions below may read the fields
  uint32_t owner_mask;  ///< the bits of a queue's state that contain the thread id of the owner
  ptrdiff_t thread_id;  ///< offset from the thread pointer: the kernel's thread id, 4 bytes
  ptrdiff_t queue;      ///< offset from the thread pointer: the current queue
  ptrdiff_t frame;      ///< offset from the thread pointer: the newest frame, {queue, older frame}
  uint16_t state;       ///< offset in a queue: the state word, 4 bytes
  uint16_t target;      ///< offset in a queue: the target queue
  uint16_t label;       ///< offset in a queue: the label
  uint16_t serial;      ///< offset in a queue: the serial number, 8 bytes
  const void *main;     ///< the main queue
} ms_queue_layout;

extern ms_queue_layout ms_queue_learned;

/// Learns libdispatch's layout and verifies it; later calls have no effect.
///
/// Signal safety: none; starts a thread, forks a child and waits for both.
void ms_queue_start(void);

/// Returns the level of certainty of the queue checks.
ms_queue_level ms_queue_answer_level(void);

/// Returns the reason why the level is not exact; NULL if the level is exact.
const char *ms_queue_fallback_reason(void);

/// Returns the serial number of `queue` (a `dispatch_queue_t`); 0 if unknown.
uint64_t ms_queue_serial(const void *queue);

/// Enqueues `work(context)` on `queue`, with one allocation less than a block. Returns false without libdispatch.
///
/// Signal safety: none.
bool ms_queue_async(void *queue, void *context, void (*work)(void *context));

/// Returns true if `queue` is known to be serial.
bool ms_queue_is_serial(const void *queue);

/// Returns true if this thread's queue is known to be serial.
bool ms_queue_here_is_serial(void);

/// Writes the queues on whose behalf this thread runs into `queues`, at most `room`, and returns their number.
size_t ms_queue_all_here(const void **queues, size_t room);

// The fallbacks of the functions below if the fields cannot be read.
bool ms_queue_on_indirectly(const void *queue);
bool ms_queue_on_main_indirectly(void);
ms_queue_stamp ms_queue_stamp_indirectly(void);

#define MS_QUEUE_WORD(base, offset) \
  __atomic_load_n((const uintptr_t *)((const char *)(base) + (offset)), __ATOMIC_RELAXED)
#define MS_QUEUE_HALF(base, offset) \
  __atomic_load_n((const uint32_t *)((const char *)(base) + (offset)), __ATOMIC_RELAXED)

/// Returns the next queue on whose behalf the thread runs: the target of `current`, or the queue of the frame below.
static inline uintptr_t ms_queue_next(const ms_queue_layout *layout, uintptr_t current,
                                      uintptr_t *frame) {
  uintptr_t target = MS_QUEUE_WORD(current, layout->target);
  if (!*frame) return target;
  uintptr_t below = MS_QUEUE_WORD(*frame, 0);
  // A target may skip frames. A frame is therefore popped only when its own queue, or a root queue, is reached.
  if (!target || current == below) *frame = MS_QUEUE_WORD(*frame, sizeof(uintptr_t));
  return target ? target : below;
}

/// Returns true if a thread with this state may run code of `queue`: the test of `dispatch_assert_queue`.
static inline bool ms_queue_predicate(const ms_queue_layout *layout, const void *queue,
                                      uint32_t thread, uintptr_t current, uintptr_t frame) {
  uint32_t owner = MS_QUEUE_HALF(queue, layout->state) & layout->owner_mask;
  if (owner == (thread & layout->owner_mask)) return true;
  while (current && current != (uintptr_t)queue) {
    current = ms_queue_next(layout, current, &frame);
  }
  return current != 0;
}

/// Returns the thread id that libdispatch uses. libdispatch stores the id when a thread first calls libdispatch, and
/// clears the id when `dispatchMain` parks the main thread, which may own the main queue nevertheless.
static inline uint32_t ms_queue_thread(uint32_t noted) {
  return __builtin_expect(noted != 0, 1) ? noted : ms_thread_id();
}

static inline bool ms_queue_reads_directly(void) {
  return __builtin_expect(__atomic_load_n(&ms_queue_learned.direct, __ATOMIC_ACQUIRE) != 0, 1);
}

/// Returns true if code that belongs to `queue` (a `dispatch_queue_t`) may run here.
static inline bool ms_queue_on(const void *queue) {
  if (!ms_queue_reads_directly()) return ms_queue_on_indirectly(queue);
  const ms_queue_layout *layout = &ms_queue_learned;
  const char *self = (const char *)__builtin_thread_pointer();
  return ms_queue_predicate(layout, queue,
                            ms_queue_thread(MS_QUEUE_HALF(self, layout->thread_id)),
                            MS_QUEUE_WORD(self, layout->queue),
                            MS_QUEUE_WORD(self, layout->frame));
}

/// Returns true if code that belongs to the main queue may run here.
static inline bool ms_queue_on_main(void) {
  if (!ms_queue_reads_directly()) return ms_queue_on_main_indirectly();
  return ms_queue_on(ms_queue_learned.main);
}

/// Creates the stamp of a thread with this state.
static inline ms_queue_stamp ms_queue_stamp_from(const ms_queue_layout *layout, uint32_t thread,
                                                 uintptr_t current, uintptr_t frame) {
  ms_queue_stamp stamp = {0, NULL, thread, false};
  if (current) {
    stamp.serial = (uint64_t)MS_QUEUE_WORD(current, layout->serial);
    stamp.label = (const char *)MS_QUEUE_WORD(current, layout->label);
  }
  stamp.onMain = ms_queue_predicate(layout, layout->main, thread, current, frame);
  return stamp;
}

/// A stamp that outlives its queue: the label is a copy, truncated to fit.
typedef struct {
  uint64_t serial;  ///< as in `ms_queue_stamp`
  uint32_t thread;  ///< as in `ms_queue_stamp`
  bool onMain;      ///< as in `ms_queue_stamp`
  bool onQueue;     ///< true if the stamp has a queue, with or without a label
  char label[34];   ///< empty without a queue
} ms_queue_note;

/// Returns the stamp of the calling thread.
static inline ms_queue_stamp ms_queue_stamp_here(void) {
  if (!ms_queue_reads_directly()) return ms_queue_stamp_indirectly();
  const ms_queue_layout *layout = &ms_queue_learned;
  const char *self = (const char *)__builtin_thread_pointer();
  return ms_queue_stamp_from(layout, ms_queue_thread(MS_QUEUE_HALF(self, layout->thread_id)),
                             MS_QUEUE_WORD(self, layout->queue),
                             MS_QUEUE_WORD(self, layout->frame));
}

/// Copies a stamp that this thread just created, so that it can be stored.
static inline ms_queue_note ms_queue_note_of(ms_queue_stamp stamp) {
  ms_queue_note note;
  note.serial = stamp.serial;
  note.thread = stamp.thread;
  note.onMain = stamp.onMain;
  note.onQueue = stamp.label != NULL;
  size_t length = stamp.label ? strnlen(stamp.label, sizeof note.label - 1) : 0;
  if (length > 0) memcpy(note.label, stamp.label, length);
  note.label[length] = 0;
  return note;
}

#ifdef __cplusplus
}
#endif
#endif

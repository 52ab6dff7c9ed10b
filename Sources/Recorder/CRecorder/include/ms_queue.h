// The queue of the current thread: exact, without trapping, by loads alone.
//
// libdispatch answers that question only by trapping. It compares two words of its own: the owner in the queue's
// drain lock, and the queues that this thread runs on behalf of (its current queue, the frames below it, their target
// queues). `ms_queue_start` learns the offsets of those words and proves the reading against libdispatch itself; from
// then on the functions below read them (docs/internals/on-main.md).
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

/// The place of a thread: the stamp of a breadcrumb.
typedef struct {
  uint64_t serial;    ///< the queue's serial number, never reused; 0 on a thread outside Dispatch
  const char *label;  ///< lives as long as the queue; NULL where there is none
  uint32_t thread;    ///< the thread's id, the kernel's and libdispatch's; a forked child keeps it
  bool onMain;        ///< whether main-queue work may run here
} ms_queue_stamp;

/// How the answers of this process are found.
typedef enum {
  MS_QUEUE_UNKNOWN = 0,  ///< not started
  MS_QUEUE_CHAIN = 1,    ///< exported symbols only: `true` can be trusted, `false` means unknown
  MS_QUEUE_EXACT = 2,    ///< libdispatch's own predicate, learned and proved at start
} ms_queue_level;

/// Offsets of libdispatch's fields that we read; written once, before `direct` is published.
typedef struct {
  uint32_t direct;      ///< whether the functions below may read by themselves
  uint32_t owner_mask;  ///< the bits of a queue's state that name the thread holding it
  ptrdiff_t thread_id;  ///< from the thread pointer: the kernel's thread id, 4 bytes
  ptrdiff_t queue;      ///< from the thread pointer: the current queue
  ptrdiff_t frame;      ///< from the thread pointer: the newest frame, {queue, older frame}
  uint16_t state;       ///< in a queue: the state word, 4 bytes
  uint16_t target;      ///< in a queue: the queue it targets
  uint16_t label;       ///< in a queue: its label
  uint16_t serial;      ///< in a queue: its serial number, 8 bytes
  const void *main;     ///< the main queue
} ms_queue_layout;

extern ms_queue_layout ms_queue_learned;

/// Learns libdispatch's layout and proves it; later calls do nothing.
///
/// Signal safety: none. It starts a thread, forks a child and waits for both.
void ms_queue_start(void);

/// How far the answers can be trusted.
ms_queue_level ms_queue_answer_level(void);

/// Why the level is not exact; NULL if it is.
const char *ms_queue_fallback_reason(void);

/// The serial number of `queue` (a `dispatch_queue_t`); 0 if unknown.
uint64_t ms_queue_serial(const void *queue);

/// Puts `work(context)` on `queue`: one allocation less than a block. False without libdispatch.
///
/// Signal safety: none.
bool ms_queue_async(void *queue, void *context, void (*work)(void *context));

/// Whether `queue` runs one thing at a time, as far as is known.
bool ms_queue_is_serial(const void *queue);

/// Whether this thread's queue runs one thing at a time; false also if unknown.
bool ms_queue_here_is_serial(void);

/// Puts the queues this thread runs on into `queues`, at most `room`; their number.
size_t ms_queue_all_here(const void **queues, size_t room);

// The fallback of the functions below if they may not read fields themselves.
bool ms_queue_on_indirectly(const void *queue);
bool ms_queue_on_main_indirectly(void);
ms_queue_stamp ms_queue_stamp_indirectly(void);

#define MS_QUEUE_WORD(base, offset) \
  __atomic_load_n((const uintptr_t *)((const char *)(base) + (offset)), __ATOMIC_RELAXED)
#define MS_QUEUE_HALF(base, offset) \
  __atomic_load_n((const uint32_t *)((const char *)(base) + (offset)), __ATOMIC_RELAXED)

/// The queue below `current` for its thread: its target, or the queue that it was entered from.
static inline uintptr_t ms_queue_next(const ms_queue_layout *layout, uintptr_t current,
                                      uintptr_t *frame) {
  uintptr_t target = MS_QUEUE_WORD(current, layout->target);
  if (!*frame) return target;
  uintptr_t below = MS_QUEUE_WORD(*frame, 0);
  // A target may skip frames, so a frame goes only when its own queue, or a root, is left.
  if (!target || current == below) *frame = MS_QUEUE_WORD(*frame, sizeof(uintptr_t));
  return target ? target : below;
}

/// Whether a thread with these words may run code of `queue`: the test of `dispatch_assert_queue`.
static inline bool ms_queue_predicate(const ms_queue_layout *layout, const void *queue,
                                      uint32_t thread, uintptr_t current, uintptr_t frame) {
  uint32_t owner = MS_QUEUE_HALF(queue, layout->state) & layout->owner_mask;
  if (owner == (thread & layout->owner_mask)) return true;
  while (current && current != (uintptr_t)queue) {
    current = ms_queue_next(layout, current, &frame);
  }
  return current != 0;
}

/// The id libdispatch goes by. It notes it when a thread first enters it, and forgets it where
/// `dispatchMain` parks the main thread, which may hold the main queue all the same.
static inline uint32_t ms_queue_thread(uint32_t noted) {
  return __builtin_expect(noted != 0, 1) ? noted : ms_thread_id();
}

static inline bool ms_queue_reads_directly(void) {
  return __builtin_expect(__atomic_load_n(&ms_queue_learned.direct, __ATOMIC_ACQUIRE) != 0, 1);
}

/// Whether code that belongs to `queue` (a `dispatch_queue_t`) may run here.
static inline bool ms_queue_on(const void *queue) {
  if (!ms_queue_reads_directly()) return ms_queue_on_indirectly(queue);
  const ms_queue_layout *layout = &ms_queue_learned;
  const char *self = (const char *)__builtin_thread_pointer();
  return ms_queue_predicate(layout, queue,
                            ms_queue_thread(MS_QUEUE_HALF(self, layout->thread_id)),
                            MS_QUEUE_WORD(self, layout->queue),
                            MS_QUEUE_WORD(self, layout->frame));
}

/// Whether code that belongs to the main queue may run here.
static inline bool ms_queue_on_main(void) {
  if (!ms_queue_reads_directly()) return ms_queue_on_main_indirectly();
  return ms_queue_on(ms_queue_learned.main);
}

/// The stamp of a thread with these words.
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

/// A stamp that outlives its queue: the label is a copy, cut to fit.
typedef struct {
  uint64_t serial;  ///< as in `ms_queue_stamp`
  uint32_t thread;  ///< as in `ms_queue_stamp`
  bool onMain;      ///< as in `ms_queue_stamp`
  bool onQueue;     ///< whether there was a queue, with or without a label
  char label[34];   ///< empty where there is none
} ms_queue_note;

/// The place of the calling thread.
static inline ms_queue_stamp ms_queue_stamp_here(void) {
  if (!ms_queue_reads_directly()) return ms_queue_stamp_indirectly();
  const ms_queue_layout *layout = &ms_queue_learned;
  const char *self = (const char *)__builtin_thread_pointer();
  return ms_queue_stamp_from(layout, ms_queue_thread(MS_QUEUE_HALF(self, layout->thread_id)),
                             MS_QUEUE_WORD(self, layout->queue),
                             MS_QUEUE_WORD(self, layout->frame));
}

/// A stamp that was made on this thread just now, to be kept.
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

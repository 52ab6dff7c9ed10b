// How the layout is learned and proved: between queue_state.c, queue_learning.c and queue_proof.c.
#ifndef MAINSTAY_QUEUE_LEARNING_H
#define MAINSTAY_QUEUE_LEARNING_H

#include <stdbool.h>

#include "ms_queue.h"
#include "ms_thread.h"

/// A layout and how to reach a thread's words with it.
typedef struct {
  ms_queue_layout layout;
  unsigned long module;  ///< the TLS module whose block holds the words
  ptrdiff_t in_block;    ///< from the block's start to the current-queue word
  bool fixed;            ///< whether the block lies at one distance from every thread pointer
} ms_queue_knowledge;

/// Compares knowledge with known answers; NULL, or why that failed.
typedef const char *ms_queue_proof(const ms_queue_knowledge *knowledge, void *held);

/// Learns the offsets of libdispatch's fields, and calls `prove` on them unless it is NULL. Returns NULL, or the
/// reason for the failure. Runs on a thread of its own, so that the state of the calling thread has no influence.
const char *ms_queue_learn(ms_queue_knowledge *knowledge, ms_queue_proof *prove);

/// Compares `knowledge` with known answers, and then, in a child process, with libdispatch's own
/// assertion; NULL, or why that failed. `held` is a queue that another thread is on.
ms_queue_proof ms_queue_prove;

/// This thread's verdict and stamp by `knowledge`.
bool ms_queue_on_by(const ms_queue_knowledge *knowledge, const void *queue);
ms_queue_stamp ms_queue_stamp_by(const ms_queue_knowledge *knowledge);

/// The queues this thread runs on, by `knowledge`, as `ms_queue_all_here` gives them.
size_t ms_queue_all_by(const ms_queue_knowledge *knowledge, const void **queues, size_t room);

#endif

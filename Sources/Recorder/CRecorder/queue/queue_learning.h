// Learns and verifies libdispatch's layout; shared by queue_state.c, queue_learning.c and queue_proof.c.
#ifndef MAINSTAY_QUEUE_LEARNING_H
#define MAINSTAY_QUEUE_LEARNING_H

#include <stdbool.h>

#include "ms_queue.h"
#include "ms_thread.h"

/// A learned layout, and the way to reach a thread's fields.
typedef struct {
  ms_queue_layout layout;
  unsigned long module;  ///< the TLS module whose block contains the fields
  ptrdiff_t in_block;    ///< from the block's start to the current-queue field
  bool fixed;            ///< true if the block has the same distance from every thread pointer
} ms_queue_knowledge;

/// A function that verifies a learned layout. Returns NULL, or the reason for the failure.
typedef const char *ms_queue_proof(const ms_queue_knowledge *knowledge, void *held);

/// Learns the offsets of libdispatch's fields, and calls `prove` on them unless it is NULL. Returns NULL, or the
/// reason for the failure. Runs on a separate thread, so that the state of the calling thread has no influence.
const char *ms_queue_learn(ms_queue_knowledge *knowledge, ms_queue_proof *prove);

/// Verifies `knowledge` against known results, and then, in a child process, against libdispatch's own assertion.
/// Returns NULL, or the reason for the failure. `held` is a queue on which another thread runs.
ms_queue_proof ms_queue_prove;

/// Returns the result of the check, or the stamp, for this thread according to `knowledge`.
bool ms_queue_on_by(const ms_queue_knowledge *knowledge, const void *queue);
ms_queue_stamp ms_queue_stamp_by(const ms_queue_knowledge *knowledge);

/// Writes the queues of this thread according to `knowledge`, as `ms_queue_all_here` does.
size_t ms_queue_all_by(const ms_queue_knowledge *knowledge, const void **queues, size_t room);

#endif

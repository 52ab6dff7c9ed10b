// The hook that receives jobs of tasks before they run.
#ifndef MAINSTAY_CTURNS_H
#define MAINSTAY_CTURNS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A runnable job of a task.
typedef struct {
  void *job;
  uint64_t task;  ///< the task's id; 0 for a job of an actor, which runs the actor's waiting jobs
} ms_turn;

/// The functions that order turns.
typedef struct {
  /// Returns true if the taker keeps the turn, to play it later; false if the turn must run at
  /// once.
  bool (*take)(ms_turn turn);
} ms_turn_taker;

/// Sets the turn taker, for the rest of the process. Installs a hook in the runtime, which calls an
/// earlier hook for jobs that the taker does not keep.
///
/// Signal safety: none; the same applies to the functions below.
void ms_take_turns_by(const ms_turn_taker *taker);

/// True if the runtime supports the hook.
bool ms_sees_jobs(void);

/// Runs a turn on the calling thread.
void ms_play_turn(ms_turn turn);

/// Enqueues a turn as the runtime would have done without the hook.
void ms_send_turn_on(ms_turn turn);

/// True if the calling thread plays a turn.
bool ms_plays_turn_here(void);

/// Sets whether the calling thread plays a turn, and returns the previous value.
bool ms_set_plays_turn_here(bool plays);

#ifdef __cplusplus
}
#endif
#endif

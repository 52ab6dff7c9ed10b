// The hook that parts of tasks pass before they run.
#ifndef MAINSTAY_CTURNS_H
#define MAINSTAY_CTURNS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A part of a task that could run.
typedef struct {
  void *job;
  uint64_t task;  ///< the task's id; 0 where the job is an actor's, which runs what waits for that
} ms_turn;

/// The functions that order turns.
typedef struct {
  /// Takes a turn, to let it go on later; false if it is to go on at once.
  bool (*take)(ms_turn turn);
} ms_turn_taker;

/// Sets the turn taker, permanently. The runtime's hook is installed for the rest of the process, in front of an
/// earlier hook.
///
/// Signal safety: none; neither are the others.
void ms_take_turns_by(const ms_turn_taker *taker);

/// Whether the runtime has the hook, so that jobs come here before they run.
bool ms_sees_jobs(void);

/// Runs a turn here.
void ms_play_turn(ms_turn turn);

/// Lets a turn go on as it would have.
void ms_send_turn_on(ms_turn turn);

/// Whether the calling thread plays a turn.
bool ms_plays_turn_here(void);

/// Sets whether this thread plays a turn, and returns the previous value.
bool ms_set_plays_turn_here(bool plays);

#ifdef __cplusplus
}
#endif
#endif

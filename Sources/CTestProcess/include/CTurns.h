// Where tasks come to a turn: a part of one that could run, and a task that is about to change its actor.
#ifndef MAINSTAY_CTURNS_H
#define MAINSTAY_CTURNS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A task's turn that has come.
typedef struct {
  void *work;     ///< a job that could run, or a task that is about to change its actor
  bool isChange;  ///< the latter
  uint64_t task;  ///< the task's id; 0 where it is a job of an actor, which runs what waits for that
} ms_turn;

/// Who takes turns.
typedef struct {
  /// Takes a turn, to let it go on later; false where it is to go on at once.
  bool (*take)(ms_turn turn);
  /// Whether it takes every turn of a task's.
  bool (*takes)(uint64_t task);
  /// Whether it is asked for jobs too, or only where tasks change their actors.
  bool takesJobs;
} ms_turn_taker;

/// Sets who is asked, which stays; NULL for nobody.
///
/// Signal safety: none; neither are the others.
void ms_take_turns_by(const ms_turn_taker *taker);

/// Whether jobs come here before they run.
bool ms_sees_jobs(void);

/// Whether a task of this program comes here before it changes its actor.
bool ms_sees_changes(void);

/// Lets a turn go on: runs a job here, or sends a task to the actor that it was about to enter.
void ms_play_turn(ms_turn turn);

/// Lets a turn go on as it would have.
void ms_give_turn_back(ms_turn turn);

/// Whether the calling thread is inside `ms_play_turn`.
bool ms_plays_turn_here(void);

/// Takes a job that resumes a task of the turn which is played here, to run it once that waits; false for any
/// other. It must be a job.
bool ms_takes_resumer(void *job);

#ifdef __cplusplus
}
#endif
#endif

// Derives how a run ended.

#include "ms_run_ending.h"

// The maximum time that a handler takes. A handler for a single signal recovers at once. A handler that reports may
// take as long as Swift's own backtracer: thirty seconds.
static const double recovers_within_ns = 5e9, reports_within_ns = 35e9;

static bool is_whole(const ms_anchor *anchor, uint64_t salt) {
  return anchor->ticks != 0 && anchor->sum == ms_anchor_sum(anchor, salt);
}

static ms_anchor newest_anchor(const ms_log_identity *identity, const ms_log_progress *progress) {
  ms_anchor newest = identity->opened;
  for (int i = 0; i < MS_ANCHORS; i++) {
    ms_anchor anchor = progress->anchors[i];
    if (is_whole(&anchor, identity->salt) && anchor.ticks > newest.ticks) newest = anchor;
  }
  return newest;
}

static double nanoseconds_per_tick(const ms_log_identity *identity, const ms_anchor *newest) {
  if (identity->clock == MS_CLOCK_MONOTONIC) return 1;
  const ms_anchor *first = &identity->before_open;
  if (newest->ticks <= first->ticks || newest->monotonic_ns <= first->monotonic_ns) return 1;
  return (double)(newest->monotonic_ns - first->monotonic_ns) /
         (double)(newest->ticks - first->ticks);
}

/// Returns true if the process was alive for longer after the fault than a handler can take.
static bool was_outlived(const ms_open_fault *fault, uint64_t last_sign, double tick_ns) {
  bool recovers = ms_open_fault_stage(fault->crash) == MS_CRASH_HANDED;
  double lived = last_sign > fault->ticks ? (double)(last_sign - fault->ticks) * tick_ns : 0;
  return lived > (recovers ? recovers_within_ns : reports_within_ns);
}

/// Returns the newest fault that is not known to be survived; NULL if none exists.
static const ms_open_fault *last_fault(const ms_last_words *words, uint64_t last_sign,
                                       double tick_ns) {
  const ms_open_fault *last = NULL;
  for (int i = 0; i < MS_OPEN_FAULTS; i++) {
    const ms_open_fault *fault = &words->faults[i];
    int signal = ms_open_fault_signal(fault->crash);
    if (fault->crash == 0 || signal < 1 || signal > 64) continue;
    if (was_outlived(fault, last_sign, tick_ns)) continue;
    if (last == NULL || fault->crash > last->crash) last = fault;
  }
  return last;
}

/// Returns true if this fault ended the run. A run that was marked as cleanly ended can still crash, because other
/// threads and later exit handlers run after the mark is set.
static bool is_crash(const ms_open_fault *fault, bool is_clean, uint64_t ended) {
  if (fault == NULL) return false;
  bool recovers = ms_open_fault_stage(fault->crash) == MS_CRASH_HANDED;
  return !is_clean || !recovers || fault->ticks > ended;
}

static ms_run_ending crash_of(const ms_open_fault *fault) {
  bool recovers = ms_open_fault_stage(fault->crash) == MS_CRASH_HANDED;
  return (ms_run_ending){MS_RUN_CRASHED, recovers ? MS_POSSIBLE : MS_CERTAIN,
                         ms_open_fault_signal(fault->crash), ms_open_fault_number(fault->crash)};
}

static ms_run_ending simply(ms_run_end end) { return (ms_run_ending){end, MS_CERTAIN, 0, 0}; }

ms_run_ending ms_run_ending_of(const ms_log_identity *identity, const ms_log_progress *progress,
                               const ms_last_words *words, unsigned facts) {
  bool is_clean = progress->ending == ms_ending_mark(identity->salt, MS_ENDING_CLEAN);
  bool is_cut = progress->ending == ms_ending_mark(identity->salt, MS_ENDING_TRUNCATED);
  if (facts & MS_RUN_IS_WRITTEN && !is_cut) return simply(MS_RUN_GOES_ON);
  ms_anchor newest = newest_anchor(identity, progress);
  uint64_t last_sign = is_clean && words->ended > newest.ticks ? words->ended : newest.ticks;
  const ms_open_fault *fault =
      last_fault(words, last_sign, nanoseconds_per_tick(identity, &newest));
  if (is_crash(fault, is_clean, words->ended)) return crash_of(fault);
  if (is_clean) return simply(MS_RUN_CLEAN);
  if (is_cut) return simply(MS_RUN_CUT_SHORT);
  if (facts & MS_RUN_OF_ANOTHER_BOOT) return (ms_run_ending){MS_RUN_REBOOT, MS_PROBABLE, 0, 0};
  if (words->asked_to_end >= 1 && words->asked_to_end <= 64) {
    return (ms_run_ending){MS_RUN_TERMINATED, MS_CERTAIN, (int)words->asked_to_end, 0};
  }
  return simply(words->hanging_since != 0 ? MS_RUN_KILLED_IN_HANG : MS_RUN_KILLED);
}

ms_run_ending ms_run_ending_seen_from(ms_run_ending own, const ms_last_words *words,
                                      ms_oom_sight now) {
  if (own.end != MS_RUN_KILLED && own.end != MS_RUN_KILLED_IN_HANG) return own;
  bool is_comparable = words->oom_kills != 0 && now.kills >= words->oom_kills &&
                       words->oom_group != 0 && words->oom_group == now.group;
  if (!is_comparable || now.kills == words->oom_kills) return own;
  bool is_only = now.kills == words->oom_kills + 1 && words->is_alone == 1 && now.is_alone;
  return (ms_run_ending){MS_RUN_OUT_OF_MEMORY, is_only ? MS_CERTAIN : MS_PROBABLE, 0, 0};
}

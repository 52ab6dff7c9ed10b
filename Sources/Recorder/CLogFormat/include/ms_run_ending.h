// How a run ended, judged by its log's header: the one place that says so.
#ifndef MAINSTAY_RUN_ENDING_H
#define MAINSTAY_RUN_ENDING_H

#include "ms_crash_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MS_RUN_GOES_ON = 0,
  MS_RUN_CLEAN = 1,           ///< closed its log, or exited by itself
  MS_RUN_TERMINATED = 2,      ///< was asked to end by `signal`, and did not exit by itself
  MS_RUN_CRASHED = 3,         ///< of `signal`
  MS_RUN_KILLED_IN_HANG = 4,  ///< while its main queue did not answer
  MS_RUN_KILLED = 5,          ///< nothing recorded
  MS_RUN_OUT_OF_MEMORY = 6,   ///< killed for lack of memory
  MS_RUN_REBOOT = 7,          ///< the machine went down under it
  MS_RUN_CUT_SHORT = 8,       ///< its log was cut by somebody else, and could not say more
} ms_run_end;

/// How sure it is.
typedef enum {
  MS_POSSIBLE = 1,
  MS_PROBABLE = 2,
  MS_CERTAIN = 3,
} ms_certainty;

typedef struct {
  ms_run_end end;
  ms_certainty certainty;
  int signal;      ///< 0: none
  uint32_t crash;  ///< which crash of the log ended it; 0: none
} ms_run_ending;

/// Facts that are known beside the header.
typedef enum {
  MS_RUN_IS_WRITTEN = 1,        ///< somebody holds the writer's lock
  MS_RUN_OF_ANOTHER_BOOT = 2,   ///< the machine that asks was booted since
} ms_run_facts;

/// Derives the ending from a header, whose bytes are not trusted. Signal safety: safe.
ms_run_ending ms_run_ending_of(const ms_log_identity *identity, const ms_log_progress *progress,
                               const ms_last_words *words, unsigned facts);

/// The kernel's counters of a control group, as a member process reads them.
typedef struct {
  uint64_t kills;  ///< 1 + how many were killed for lack of memory; 0: not known
  uint64_t group;  ///< which group: never the same for two that are there at once; 0: not known
  bool is_alone;   ///< no other process is in it
} ms_oom_sight;

/// The same ending, judged by the next run at its start. If the control group has counted more kills than at the
/// start of the run, the process was killed for lack of memory; that is certain if no other process of the group can
/// have been killed. Signal safety: safe.
ms_run_ending ms_run_ending_seen_from(ms_run_ending own, const ms_last_words *words,
                                      ms_oom_sight now);

/// A verdict in a word, for the header of the next run's log, and back.
static inline uint64_t ms_told_word(ms_run_ending ending) {
  return (uint64_t)ending.end | (uint64_t)ending.certainty << 8 | (uint64_t)ending.signal << 16;
}

static inline ms_run_ending ms_told_ending(uint64_t word) {
  ms_run_ending ending = {(ms_run_end)(word & 0xff), (ms_certainty)(word >> 8 & 0xff),
                          (int)(word >> 16 & 0xff), 0};
  return ending;
}

#ifdef __cplusplus
}
#endif
#endif

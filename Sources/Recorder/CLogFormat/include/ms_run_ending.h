// Derives how a run ended from the header of its log. No other code implements these rules.
#ifndef MAINSTAY_RUN_ENDING_H
#define MAINSTAY_RUN_ENDING_H

#include "ms_crash_format.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MS_RUN_GOES_ON = 0,
  MS_RUN_CLEAN = 1,           ///< closed its log, or exited normally
  MS_RUN_TERMINATED = 2,      ///< received the termination request `signal`, and did not exit normally
  MS_RUN_CRASHED = 3,         ///< crashed by `signal`
  MS_RUN_KILLED_IN_HANG = 4,  ///< killed while its main queue did not answer
  MS_RUN_KILLED = 5,          ///< no other ending is recorded
  MS_RUN_OUT_OF_MEMORY = 6,   ///< killed for lack of memory
  MS_RUN_REBOOT = 7,          ///< the machine was restarted during the run
  MS_RUN_CUT_SHORT = 8,       ///< another process truncated the log, so no more is recorded
} ms_run_end;

/// The certainty of an ending.
typedef enum {
  MS_POSSIBLE = 1,
  MS_PROBABLE = 2,
  MS_CERTAIN = 3,
} ms_certainty;

typedef struct {
  ms_run_end end;
  ms_certainty certainty;
  int signal;      ///< 0: none
  uint32_t crash;  ///< the number of the crash that ended the run; 0: none
} ms_run_ending;

/// Facts about a run that its header does not contain.
typedef enum {
  MS_RUN_IS_WRITTEN = 1,        ///< a process holds the writer's lock
  MS_RUN_OF_ANOTHER_BOOT = 2,   ///< this machine was booted after the run began
} ms_run_facts;

/// Derives the ending from a header, whose bytes are not trusted. Signal safety: safe.
ms_run_ending ms_run_ending_of(const ms_log_identity *identity, const ms_log_progress *progress,
                               const ms_last_words *words, unsigned facts);

/// The kernel's counters of a cgroup, as a member process reads them.
typedef struct {
  uint64_t kills;  ///< 1 + the number of out-of-memory kills; 0: unknown
  uint64_t group;  ///< a hash of the group's inode and device; 0: unknown
  bool is_alone;   ///< true if no other process is in the group
} ms_oom_sight;

/// Refines the ending at the start of the next run. If the cgroup has counted more kills than at the start of
/// the run, the process was killed for lack of memory; the ending is certain if no other process of the group can
/// have been killed. Signal safety: safe.
ms_run_ending ms_run_ending_seen_from(ms_run_ending own, const ms_last_words *words,
                                      ms_oom_sight now);

/// Encodes an ending as one word, for the header of the next run's log.
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

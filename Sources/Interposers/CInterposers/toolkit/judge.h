// Judges a call that did not pass the comparison in `ms_toolkit_enter`.
#ifndef MAINSTAY_TOOLKIT_JUDGE_H
#define MAINSTAY_TOOLKIT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "toolkit_interposer.h"

/// True if the processor has `xsave`, for `ms_toolkit_enter`.
extern uint8_t ms_toolkit_has_xsave __attribute__((visibility("hidden")));

/// Returns the real function, after reporting a call off the owner's thread. `argument` is the first argument,
/// `place` the address of the return address on the stack. Preserves errno.
void *ms_toolkit_judge(ms_toolkit_entry *entry, uintptr_t argument, const uintptr_t *place)
    __attribute__((visibility("hidden"), used));

/// The effects of a finding.
typedef enum {
  MS_TOOLKIT_RECORDS = 0,
  MS_TOOLKIT_REPORTS = 1,  ///< also writes a line to standard error
  MS_TOOLKIT_TRAPS = 2,    ///< also ends the process
} ms_toolkit_policy;

/// Starts to judge calls.
void ms_toolkit_begin(ms_toolkit_policy policy);

/// Stops judging calls. Signal safety: safe.
void ms_toolkit_rest(void);

/// Adds a line of the file of allowed calls: `call NAME` or `library NAME`. The text must stay valid. Returns false
/// for any other line.
bool ms_toolkit_allow(const char *line);

#endif

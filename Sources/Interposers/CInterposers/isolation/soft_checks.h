// Keeps a process alive whose isolation checks fail, and records each place that fails one.
#ifndef MAINSTAY_SOFT_CHECKS_H
#define MAINSTAY_SOFT_CHECKS_H

#include <stdbool.h>

#include "../preload/preload.h"

/// Makes failed isolation checks of the Swift runtime harmless. Returns false if the process has no Swift runtime whose
/// checks can be heard; `reason` is then the cause.
///
/// The log is opened at once, or in a child process at the first failed check.
bool ms_soft_checks_begin(const ms_preload_request *request, const char **reason);

/// Marks the end of the log as clean.
void ms_soft_checks_close_log(void);

#endif

// The crash handler of a preloaded library.
#ifndef MAINSTAY_PRELOAD_CRASHES_H
#define MAINSTAY_PRELOAD_CRASHES_H

#include "CRecorder.h"

/// Returns the log for the crash of this process; NULL if crashes are not recorded. Called once, before `main`. The
/// preloaded library defines this function.
ms_log *ms_preload_log_of_crashes(void);

#endif

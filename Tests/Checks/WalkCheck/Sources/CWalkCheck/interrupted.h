// What checks that interrupt running code share.
#ifndef MAINSTAY_INTERRUPTED_H
#define MAINSTAY_INTERRUPTED_H

#include <signal.h>
#include <stdbool.h>

#include "CWalkSubjects.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ms_room_frames = 2048 };

/// Installs `handler` on this thread's alternate stack (which is made), and returns what was there.
struct sigaction ms_install(int number, void (*handler)(int, siginfo_t *, void *), int flags);

/// Lets this thread be interrupted by `number`: threads that Dispatch makes, and those they make,
/// begin with all signals blocked.
void ms_unblock(int number);

/// Prints what the comparisons since `before` came to, and returns whether all were explained.
bool ms_report(const char *check, ms_comparison_totals before);

#ifdef __cplusplus
}
#endif
#endif

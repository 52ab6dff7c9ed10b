// The switch that turns the library off without a rebuild.
#ifndef MAINSTAY_OFF_H
#define MAINSTAY_OFF_H

#include <stdbool.h>

/// Returns true if the process started with `MAINSTAY=off` in its environment: then the library creates no threads,
/// signal handlers and files, and records nothing. Signal safety: safe.
bool ms_is_off(void);

#endif

// Finds functions that end in a tail call.
#ifndef MAINSTAY_TOOLKIT_ENDS_H
#define MAINSTAY_TOOLKIT_ENDS_H

#include <stdbool.h>

#include "toolkit_interposer.h"

/// True if a function's code jumps to another function of the list: both functions then have the same caller.
bool ms_toolkit_ends_in(ms_toolkit_entry *function, const ms_toolkit_entry *other);

#endif

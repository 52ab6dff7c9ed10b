// Functions that end by calling another.
#ifndef MAINSTAY_TOOLKIT_ENDS_H
#define MAINSTAY_TOOLKIT_ENDS_H

#include <stdbool.h>

#include "toolkit_interposer.h"

/// Whether a function's code has a jump to another of the list: then the caller of the one is the caller of the other.
bool ms_toolkit_ends_in(ms_toolkit_entry *function, const ms_toolkit_entry *other);

#endif

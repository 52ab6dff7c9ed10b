// Reads all registers from a signal context or from the calling function.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_REGISTERS_H
#define MAINSTAY_WALK_REGISTERS_H

#include <ucontext.h>

#include "stepper.h"

MS_WALKS_BEGIN

#if defined(__aarch64__)
#include "registers_aarch64.h"
#else
#include "registers_x86_64.h"
#endif

MS_WALKS_END

#endif

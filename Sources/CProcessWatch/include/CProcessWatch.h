// Sees what happens to the process from inside it.
#ifndef MAINSTAY_CPROCESSWATCH_H
#define MAINSTAY_CPROCESSWATCH_H

#include "ms_blocking_crumbs.h"
#include "ms_looks.h"
#include "ms_loop_threads.h"
#include "ms_signals.h"
#include "ms_threads.h"
#include "ms_waiting.h"
#include "ms_watch.h"

#endif

// Records crumbs, stacks and signals of the host process, without locks or allocation on hot paths, and without
// Swift.
#ifndef MAINSTAY_CRECORDER_H
#define MAINSTAY_CRECORDER_H

#include "CLogFormat.h"
#include "ms_address.h"
#include "ms_async.h"
#include "ms_blocking_crumbs.h"
#include "ms_crash_append.h"
#include "ms_crumb_builder.h"
#include "ms_crumb_context.h"
#include "ms_facts.h"
#include "ms_log_append.h"
#include "ms_log_data.h"
#include "ms_log_open.h"
#include "ms_periodic.h"
#include "ms_loop_threads.h"
#include "ms_module.h"
#include "ms_off.h"
#include "ms_queue.h"
#include "ms_requests.h"
#include "ms_return_address.h"
#include "ms_runtime.h"
#include "ms_services.h"
#include "ms_signals.h"
#include "ms_symbols.h"
#include "ms_thread.h"
#include "ms_threads.h"
#include "ms_walk.h"
#include "ms_walk_memory.h"
#include "ms_watch.h"

#endif

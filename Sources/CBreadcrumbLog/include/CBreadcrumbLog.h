// Lays out the log file and appends records to it, lock-free.
//
// A log is opened once and appended to from any thread. Appending is a bracket: `ms_log_enter`
// gives this thread's writer or NULL, `ms_log_append` leaves crumbs, `ms_log_leave` ends it.
#ifndef MAINSTAY_CBREADCRUMBLOG_H
#define MAINSTAY_CBREADCRUMBLOG_H

#include "ms_log_format.h"
#include "ms_log_open.h"
#include "ms_log_append.h"
#include "ms_log_data.h"
#include "ms_log_words.h"
#include "ms_log_read.h"
#include "ms_crash_append.h"
#include "ms_crash_format.h"
#include "ms_run_ending.h"
#include "ms_crumb_context.h"

#endif

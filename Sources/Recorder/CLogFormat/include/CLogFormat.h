// The binary format of a log, shared by the recorder and the reader: layout, checksums, texts, and how a run ended.
#ifndef MAINSTAY_CLOGFORMAT_H
#define MAINSTAY_CLOGFORMAT_H

#include "ms_brief.h"
#include "ms_crash_format.h"
#include "ms_crc.h"
#include "ms_fact_names.h"
#include "ms_log_format.h"
#include "ms_log_read.h"
#include "ms_log_words.h"
#include "ms_own_code.h"
#include "ms_process.h"
#include "ms_run_ending.h"

#endif

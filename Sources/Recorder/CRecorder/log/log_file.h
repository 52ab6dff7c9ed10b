// The log as a file: reserved under a temporary name, then renamed to its path.
#ifndef MAINSTAY_LOG_FILE_H
#define MAINSTAY_LOG_FILE_H

#include <stdio.h>

#include "log_internal.h"

/// Reserves the blocks in a new file beside `path`, maps and locks it. The mapping keeps the file and its lock. No
/// descriptor is kept, because a host that closes unknown descriptors could reuse the number.
bool ms_log_file_reserve(ms_log *log, const ms_log_options *options, ms_log_failure *failure);

/// Renames an earlier log, and gives the new one its name.
bool ms_log_file_publish(ms_log *log, const ms_log_options *options, ms_log_failure *failure);

/// Removes the file that `ms_log_file_reserve` created, after a later failure.
void ms_log_file_discard(ms_log *log, const ms_log_options *options);

/// Releases the locks and descriptors that were held while the log was opened.
void ms_log_file_let_go(ms_log *log);

/// Moves a descriptor above the numbers of the standard streams. If the standard streams are closed, code that writes
/// to standard output would otherwise write into the log.
int ms_above_standard(int file);

/// Returns false if a size exceeds the file size limit: a write past this limit would kill the process with SIGXFSZ.
bool ms_within_size_limit(uint64_t size);

#endif

// Appending to a log's crash chunk, from the handlers of any number of threads at once.
#ifndef MAINSTAY_CRASH_APPEND_H
#define MAINSTAY_CRASH_APPEND_H

#include "ms_crash_format.h"
#include "ms_log_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Claims room for a record of `size` bytes and begins it, all zeros behind its head; NULL if the
/// chunk has no room left. Signal safety: safe.
void *ms_crash_begin(ms_log *log, ms_crash_record_type type, uint32_t crash, size_t size);

/// Ends what `ms_crash_begin` began: from here on it survives the process. Signal safety: safe.
void ms_crash_commit(ms_log *log, void *record);

/// Discards the records of earlier crashes, which the process survived, if they leave less than half of the chunk.
/// Signal safety: safe, if no other thread appends.
void ms_crash_make_room(ms_log *log);

/// The log's last words, to be changed a word at a time. Signal safety: safe.
ms_last_words *ms_log_last_words(ms_log *log);

/// Writes into the header whether a crash would be on file. Not signal-safe.
void ms_log_note_handler(ms_log *log, bool has);

/// Notes in the header that this thread met a fault, crash `number`, which it is not known to survive.
/// It does if it leaves a crumb, or meets a fault, anywhere but in the handler whose frame is `frame`.
/// Signal safety: safe.
void ms_fault_open(ms_log *log, uint32_t number, uint32_t thread, int signal, uintptr_t frame);

/// How far its recording has come. Signal safety: safe.
void ms_fault_advance(ms_log *log, uint32_t number, ms_crash_stage stage);

/// The handler with this frame has dealt with the fault, and returns. Signal safety: safe.
void ms_fault_left(ms_log *log, uint32_t number, uintptr_t frame);

/// Closes all open faults of the calling thread: the handlers that they were handed to were left.
/// Signal safety: safe.
void ms_fault_leave_all(ms_log *log, uint32_t thread);

/// Whether nothing says yet that a fault was survived. Signal safety: safe.
bool ms_fault_is_open(ms_log *log, uint32_t number);

/// The calling thread's ordinal in the log; 0 if it has left no crumb. Signal safety: safe.
uint32_t ms_crash_ordinal(const ms_log *log);

/// Makes sure that the modules of these frames are listed. Signal safety: safe.
void ms_crash_note_modules(ms_log *log, const uintptr_t *frames, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif

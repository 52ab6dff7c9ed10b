// Appends to a log's crash chunk, concurrently from the handlers of any number of threads.
#ifndef MAINSTAY_CRASH_APPEND_H
#define MAINSTAY_CRASH_APPEND_H

#include "ms_crash_format.h"
#include "ms_log_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reserves space for a record of `size` bytes, and initializes it with zeros after the header; NULL if the chunk is
/// full. Signal safety: safe.
void *ms_crash_begin(ms_log *log, ms_crash_record_type type, uint32_t crash, size_t size);

/// Commits a record of `ms_crash_begin`: the record now survives the process. Signal safety: safe.
void ms_crash_commit(ms_log *log, void *record);

/// Discards the records of earlier crashes, which the process survived, if less than half of the chunk is free.
/// Signal safety: safe, if no other thread appends.
void ms_crash_make_room(ms_log *log);

/// Returns the part of the log's header that is updated word by word until the process ends. Signal safety: safe.
ms_last_words *ms_log_last_words(ms_log *log);

/// Records in the header whether a crash handler is installed. Not signal-safe.
void ms_log_note_handler(ms_log *log, ms_handler_state state);

/// Records in the header that the given thread met a fault, crash `number`. The fault counts as survived when the
/// thread records a crumb, or meets another fault, outside the handler with this frame. Signal safety: safe.
void ms_fault_open(ms_log *log, uint32_t number, uint32_t thread, int signal, uintptr_t frame);

/// Updates the stage up to which the crash is recorded. Signal safety: safe.
void ms_fault_advance(ms_log *log, uint32_t number, ms_crash_stage stage);

/// Closes the fault, because the handler with this frame handled it and returns. Signal safety: safe.
void ms_fault_left(ms_log *log, uint32_t number, uintptr_t frame);

/// Closes all open faults of the calling thread, because it left their handlers. Signal safety: safe.
void ms_fault_leave_all(ms_log *log, uint32_t thread);

/// Returns true if the fault is not known to be survived. Signal safety: safe.
bool ms_fault_is_open(ms_log *log, uint32_t number);

/// Returns the calling thread's ordinal in the log; 0 if the thread has not recorded a crumb. Signal safety: safe.
uint32_t ms_crash_ordinal(const ms_log *log);

/// Records the modules of these frames that are not in the log yet. Signal safety: safe.
void ms_crash_note_modules(ms_log *log, const uintptr_t *frames, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif

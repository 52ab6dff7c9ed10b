// Appending crumbs to an open log.
#ifndef MAINSTAY_LOG_APPEND_H
#define MAINSTAY_LOG_APPEND_H

#include "ms_crumb_context.h"
#include "ms_log_format.h"
#include "ms_log_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The state by which this thread appends; valid between `ms_log_enter` and `ms_log_leave`.
typedef struct ms_log_thread ms_log_thread;

/// The parts of a crumb. Texts longer than their limits are cut and marked.
typedef struct {
  const void *category;
  const void *message;
  const uint8_t *data;  ///< encoded by `ms_data_…`
  size_t category_size;
  size_t message_size;
  uint32_t data_size;
  uint8_t data_count;
  uint8_t flags;  ///< MS_CRUMB_ON_MAIN, …_MAIN_UNKNOWN, …_DATA_CUT, …_HAS_HOP
  uint8_t kind;
  uint8_t level;
  uint64_t hop;
  uint64_t queue_serial;
  const char *queue_label;  ///< NULL: on no queue
  const uintptr_t *frames;
  uint16_t frame_count;
  uint8_t walk_end;
  uint8_t first_is_instruction;
  uint64_t walk;  ///< crumbs of one thread with the same, but for 0, have the same frames
  uint64_t ticks;  ///< what `ms_log_now` said just now; 0: it is asked
} ms_crumb;

/// The position of a stack in a log's memory, valid until its chunk is recycled.
typedef struct {
  const uint64_t *record;  ///< NULL: nowhere
  uint32_t tag;
  uint32_t seed;
} ms_stack_place;

/// Begins a bracket on this thread; NULL if nothing can be recorded now (which is counted, unless
/// the log was closed). No lock, no allocation; on the thread's first crumb three system calls, and
/// for every eighth thread one that maps their memory. That crumb also unblocks SIGBUS on its thread
/// (`ms_thread_take_back_bus_error`).
/// Signal safety: safe once the thread has recorded before, or has a small pthread key.
ms_log_thread *ms_log_enter(ms_log *log, ms_kind kind);

enum { MS_LOG_ROOM = 5632 };

/// MS_LOG_ROOM bytes that the thread keeps from crumb to crumb, zeros at first; NULL in a handler that
/// interrupted a record. Signal safety: safe.
void *ms_log_room(ms_log_thread *thread);

/// A bracket, and what its thread has for walking its stack.
typedef struct {
  ms_log_thread *thread;  ///< NULL if nothing can be recorded now
  uintptr_t *frames;
  void *room;
} ms_log_bracket;

/// `ms_log_enter`, `ms_log_frames` and `ms_log_room` at once. Signal safety: as `ms_log_enter`.
ms_log_bracket ms_log_enter_to_walk(ms_log *log, ms_kind kind);

/// A bracket, and its room for MS_DATA_LIMIT encoded bytes.
typedef struct {
  ms_log_thread *thread;  ///< NULL if nothing can be recorded now
  uint8_t *data;
} ms_log_data_bracket;

/// `ms_log_enter` and `ms_log_data` at once. Signal safety: as `ms_log_enter`.
ms_log_data_bracket ms_log_enter_for_data(ms_log *log, ms_kind kind);

/// Room for MS_FRAME_LIMIT frames of this bracket's own. Signal safety: safe.
uintptr_t *ms_log_frames(ms_log_thread *thread);

/// Room for MS_DATA_LIMIT encoded bytes of this bracket's own. Signal safety: safe.
uint8_t *ms_log_data(ms_log_thread *thread);

/// Leaves a crumb. When it returns true the crumb survives any death of the process.
/// Signal safety: safe.
bool ms_log_append(ms_log_thread *thread, const ms_crumb *crumb);

/// As `ms_log_append`, and returns the place of the crumb's stack. Signal safety: safe.
ms_stack_place ms_log_append_stack(ms_log_thread *thread, const ms_crumb *crumb);

/// Copies the return addresses of a stack that was appended, at most `room`; their number, 0 if
/// it is gone, or its log is closed. Any thread may ask. Signal safety: safe.
uint32_t ms_log_stack_at(ms_stack_place place, uintptr_t *frames, uint32_t room);

/// The shape of a crumb that has only category and message, in one register.
typedef struct {
  uint32_t message_size;
  uint8_t category_size;
  uint8_t kind;
  uint8_t level;
  uint8_t flags;
} ms_note_shape;

/// The whole bracket for a crumb without data, stack or hop: the shortest way.
/// Signal safety: as `ms_log_enter`.
bool ms_log_note(ms_log *log, ms_note_shape shape, const void *category, const void *message,
                 uint64_t queue_serial, const char *queue_label);

/// Leaves a crumb of category, message and stack and ends the bracket. Signal safety: safe.
bool ms_log_note_with(ms_log_thread *thread, ms_note_shape shape, const void *category,
                      const void *message, uint64_t queue_serial, const char *queue_label,
                      const uintptr_t *frames, uint32_t frame_count, uint32_t walk_end,
                      uint64_t walk);

/// The data encoded in a bracket's buffer.
typedef struct {
  uint32_t size;
  uint8_t count;
} ms_data_shape;

/// Leaves a crumb of category, message and data and ends the bracket. Signal safety: safe.
bool ms_log_note_of(ms_log_thread *thread, ms_note_shape shape, ms_data_shape data,
                    const void *category, const void *message, uint64_t queue_serial,
                    const char *queue_label);

/// Ends the bracket. Signal safety: safe.
void ms_log_leave(ms_log_thread *thread);

/// The log's own clock, to ask `ms_log_nanoseconds_between` later. Signal safety: safe.
uint64_t ms_log_now(const ms_log *log);

/// How long its clock takes from `then` to `now`. Signal safety: safe.
uint64_t ms_log_nanoseconds_between(ms_log *log, uint64_t then, uint64_t now);

#ifdef __cplusplus
}
#endif
#endif

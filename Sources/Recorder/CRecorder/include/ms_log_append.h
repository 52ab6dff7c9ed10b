// Appends crumbs to an open log.
#ifndef MAINSTAY_LOG_APPEND_H
#define MAINSTAY_LOG_APPEND_H

#include "ms_crumb_context.h"
#include "ms_log_data.h"
#include "ms_log_format.h"
#include "ms_log_open.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The state of a thread that records; valid between `ms_log_enter` and `ms_log_leave`.
typedef struct ms_log_thread ms_log_thread;

/// The parts of a crumb. Strings longer than their limits are truncated, and a flag records that.
typedef struct {
  const void *category;
  const void *message;
  const uint8_t *data;  ///< encoded by `ms_data_…`
  const ms_brief_values *values;  ///< the same data as values; NULL: not known
  size_t category_size;
  size_t message_size;
  uint32_t data_size;
  uint32_t context_size;  ///< the size of the context's values, at the end of the data
  uint8_t data_count;
  uint8_t flags;  ///< MS_CRUMB_ON_MAIN, …_MAIN_UNKNOWN, …_DATA_CUT, …_HAS_HOP
  uint8_t kind;
  uint8_t level;
  bool has_constant_texts;  ///< category and message are constants of the program
  uint64_t hop;
  uint64_t queue_serial;
  const char *queue_label;  ///< NULL: no queue
  const uintptr_t *frames;
  uint16_t frame_count;
  uint8_t walk_end;
  uint8_t first_is_instruction;
  uint64_t context_key;  ///< a hash of the context's values
  uint64_t walk;  ///< crumbs of one thread with the same non-zero id have the same frames
  uint64_t ticks;  ///< a recent result of `ms_log_now`; 0: read the clock
} ms_crumb;

/// The position of a stack in a log's memory, valid until its chunk is recycled.
typedef struct {
  const uint64_t *record;  ///< NULL: no stack
  uint32_t tag;
  uint32_t seed;
} ms_stack_place;

/// Begins a bracket on this thread. Returns NULL if recording is not possible now; such a crumb is counted as
/// dropped, unless the log is closed. Takes no lock and does not allocate. A thread's first crumb needs three system
/// calls, and for every eighth thread one more to map memory; the crumb also unblocks SIGBUS on the thread (see
/// `ms_thread_take_back_bus_error`). Signal safety: safe once the thread has recorded before, or has a small pthread
/// key.
ms_log_thread *ms_log_enter(ms_log *log, ms_kind kind);

enum { MS_LOG_ROOM = 5632 };

/// Returns MS_LOG_ROOM bytes that the thread keeps between crumbs, initially zero; NULL in a handler that interrupted
/// a record. Signal safety: safe.
void *ms_log_room(ms_log_thread *thread);

/// A bracket, with the buffers of its thread for a stack walk.
typedef struct {
  ms_log_thread *thread;  ///< NULL if recording is not possible now
  uintptr_t *frames;
  void *room;
} ms_log_bracket;

/// Combines `ms_log_enter`, `ms_log_frames` and `ms_log_room`. Signal safety: as `ms_log_enter`.
ms_log_bracket ms_log_enter_to_walk(ms_log *log, ms_kind kind);

/// A bracket, with its empty data.
typedef struct {
  ms_log_thread *thread;  ///< NULL if recording is not possible now, like `data`
  ms_data *data;
} ms_log_data_bracket;

/// Combines `ms_log_enter` and `ms_log_data`. Signal safety: as `ms_log_enter`.
ms_log_data_bracket ms_log_enter_for_data(ms_log *log, ms_kind kind);

/// Returns this bracket's buffer of MS_FRAME_LIMIT frames. Signal safety: safe.
uintptr_t *ms_log_frames(ms_log_thread *thread);

/// Returns this bracket's data, without any values. Signal safety: safe.
ms_data *ms_log_data(ms_log_thread *thread);

/// Sets the data of a crumb. `data` must stay valid until the crumb is appended. Signal safety: safe.
static inline void ms_crumb_set_data(ms_crumb *crumb, const ms_data *data) {
  crumb->data = data->bytes;
  crumb->data_size = data->size;
  crumb->context_size = data->context_size;
  crumb->context_key = data->context_key;
  crumb->data_count = data->count;
  crumb->values = data->values.next ? &data->values : NULL;
  if (data->is_cut) crumb->flags |= MS_CRUMB_DATA_CUT;
}

/// Appends a crumb. If the result is true, the crumb survives any death of the process. Signal safety: safe.
bool ms_log_append(ms_log_thread *thread, const ms_crumb *crumb);

/// Appends a crumb and returns the position of its stack. Signal safety: safe.
ms_stack_place ms_log_append_stack(ms_log_thread *thread, const ms_crumb *crumb);

/// Copies at most `room` return addresses of an appended stack, and returns their number; 0 if its chunk was recycled
/// or its log is closed. Callable from any thread. Signal safety: safe.
uint32_t ms_log_stack_at(ms_stack_place place, uintptr_t *frames, uint32_t room);

/// The sizes and properties of a crumb that has only category and message, packed to be passed in one register.
typedef struct {
  uint32_t message_size;
  uint8_t category_size;
  uint8_t kind;
  uint8_t level;
  uint8_t flags;
} ms_note_shape;

/// Records a crumb without data, stack or hop in a bracket of its own: the fastest path. `category` and `message` are
/// constants of the program, because the log identifies them by their addresses. Signal safety: as `ms_log_enter`.
bool ms_log_note(ms_log *log, ms_note_shape shape, const void *category, const void *message,
                 uint64_t queue_serial, const char *queue_label);

/// Appends a crumb with category and message, both constants of the program, and stack, and ends the bracket. Signal
/// safety: safe.
bool ms_log_note_with(ms_log_thread *thread, ms_note_shape shape, const void *category,
                      const void *message, uint64_t queue_serial, const char *queue_label,
                      const uintptr_t *frames, uint32_t frame_count, uint32_t walk_end,
                      uint64_t walk);

/// Appends a crumb with category, message and data, and ends the bracket. Signal safety: safe.
bool ms_log_note_of(ms_log_thread *thread, ms_note_shape shape, const ms_data *data,
                    const void *category, const void *message, uint64_t queue_serial,
                    const char *queue_label);

/// Ends the bracket. Signal safety: safe.
void ms_log_leave(ms_log_thread *thread);

/// Returns the time of the log's clock, an argument of `ms_log_nanoseconds_between`. Signal safety: safe.
uint64_t ms_log_now(const ms_log *log);

/// Converts the interval between two readings of the log's clock to nanoseconds. Signal safety: safe.
uint64_t ms_log_nanoseconds_between(ms_log *log, uint64_t then, uint64_t now);

#ifdef __cplusplus
}
#endif
#endif

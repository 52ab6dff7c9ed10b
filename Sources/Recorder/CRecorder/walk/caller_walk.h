// Walks that begin in the caller of a function that knows its own frame pointer.
//
// Signal safety: everything here is safe.
#ifndef MAINSTAY_WALK_ABOVE_H
#define MAINSTAY_WALK_ABOVE_H

#include "ms_address.h"
#include "ms_async.h"
#include "ms_return_address.h"
#include "ms_walk.h"
#include "ms_walk_memory.h"
#include "fast_walk.h"

MS_WALKS_BEGIN

/// A function's frame: its frame pointer, and the address at which its caller's frame begins.
typedef struct {
  uintptr_t pointer;
  uintptr_t end;
} ms_frame;

#if defined(__aarch64__)
// A frame may extend above the target of its frame pointer by an amount that is not recorded. Therefore the entry
// code reads the stack pointer before the frame is built (`hint #34` is `bti c`) and passes it as an additional
// argument, in the given register. The function must not end in a tail call, or the walk would find another frame in
// its place.
#define MS_ENTRY(place, result, name, ...)                                                        \
  __attribute__((used, visibility("hidden"))) result name##_above(__VA_ARGS__, uintptr_t frame_end); \
  __attribute__((naked)) result name(__VA_ARGS__) {                                               \
    __asm__("hint #34\n mov " place ", sp\n b " #name "_above");                                  \
  }                                                                                               \
  __attribute__((noinline, disable_tail_calls)) result name##_above(__VA_ARGS__, uintptr_t frame_end)
#define MS_OWN_FRAME ((ms_frame){(uintptr_t)__builtin_frame_address(0), frame_end})
#else
// `__builtin_frame_address` makes the compiler keep a frame pointer in the function.
#define MS_ENTRY(place, result, name, ...) __attribute__((noinline)) result name(__VA_ARGS__)
#define MS_OWN_FRAME \
  ((ms_frame){(uintptr_t)__builtin_frame_address(0), (uintptr_t)__builtin_frame_address(0) + 16})
#endif

// Returns a walk that begins in the caller of the function with this frame. The frame pointer addresses the saved
// frame pointer of the caller, followed by the return address.
static MS_INLINE ms_walk begin_above(ms_frame frame, uintptr_t *frames, uint32_t capacity, uint32_t skip) {
  ms_walk walk = {
      .pc = ms_without_signature(word_at(frame.pointer + 8)), .sp = frame.end, .fp = word_at(frame.pointer),
      .frames = frames, .next = -(int64_t)skip, .capacity = capacity,
      .stack = ms_stack_unpack(ms_stack_remembered), .first_sp = frame.end, .first = -(int64_t)skip};
  note_left(&walk, frame.pointer);
  return walk;
}

/// Walks by unwind rules from the caller of the function with this frame.
uint32_t ms_walk_above(ms_frame frame, uintptr_t *frames, uint32_t capacity, uint32_t skip,
                       ms_walk_end *end) __attribute__((visibility("hidden")));

MS_WALKS_END

#endif

// Compares our walks with libunwind's, and holds the C and C++ code they are compared in.
#ifndef MAINSTAY_CWALKSUBJECTS_H
#define MAINSTAY_CWALKSUBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What all comparisons of this process came to.
typedef struct {
  uint64_t captures;
  uint64_t frames;
  uint64_t unexplained;   ///< walks that differ from libunwind's where nothing explains it
  uint64_t uninformed;    ///< walks that differ above a function without unwind information
  uint64_t remembered;    ///< walks that were had without walking
  uint64_t fallen;        ///< walks in which libunwind read what it must not
} ms_comparison_totals;

/// Walks from here in all our ways (table warm, table empty, from a context, by the stepper
/// alone), and compares each with `unw_step` from the same registers, frame by frame. Returns
/// whether all are equal or explained; prints the first of those that are not.
bool ms_compare_here(const char *subject);

/// As `ms_compare_here`, from a signal's context (`const ucontext_t *`).
bool ms_compare_context(const char *subject, const void *context);

/// As `ms_compare_context`, only the walk as it is, with `room` for twice `capacity` frames: no
/// allocation, for handlers that interrupt anything.
bool ms_compare_interrupted(const char *subject, const void *context, uintptr_t *room,
                            uint32_t capacity);

/// As `ms_compare_interrupted`, with our stepper in the place of libunwind, which takes locks.
bool ms_compare_with_stepper(const char *subject, const void *context, uintptr_t *room,
                             uint32_t capacity);

ms_comparison_totals ms_comparison_totals_so_far(void);

/// Counts a comparison that another process found to fail.
void ms_comparison_failed(const char *subject);

/// Whether the first frame of `ms_walk_here` is its caller's, and `skip` leaves out that.
bool ms_first_frame_is_the_caller(void);

/// Whether walks make no system call once a thread's stack is known, even with an empty table.
bool ms_warm_walks_call_no_system(void);

/// Whether walks with bounds read nothing outside of them (or this process dies).
bool ms_walks_stay_within(void);

/// Whether the caller of a null function pointer is found.
bool ms_null_call_keeps_its_caller(void);

/// One piece of code that leads into callbacks, which compare.
typedef struct {
  const char *name;
  void (*run)(void);
} ms_subject;

/// The C and C++ subjects; `count` is set.
const ms_subject *ms_native_subjects(uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif

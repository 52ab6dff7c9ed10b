// The walks that are measured, the stacks they are measured on, and the loop that measures.
#ifndef BENCHMARK_CWALKPEERS_H
#define BENCHMARK_CWALKPEERS_H

#include <stdbool.h>
#include <stdint.h>

/// Something that walks the calling thread's stack.
typedef enum {
  BENCH_WALK_OURS,
  BENCH_WALK_OURS_AGAIN,      ///< remembers walks that come again
  BENCH_WALK_FRAME_POINTERS,  ///< bare: follows rbp within the thread's stack, checks nothing else
  BENCH_WALK_UNW_BACKTRACE,
  BENCH_WALK_BACKTRACE,  ///< glibc's
  BENCH_WALK_UNW_STEP,
  BENCH_WALK_NONE,
} bench_walker;

/// Walks once; returns how many frames were found.
uint32_t bench_walk(bench_walker walker, uint32_t capacity);

/// The processor time of one of `calls` walks from here, in nanoseconds.
double bench_walk_mean(bench_walker walker, uint32_t capacity, uint32_t calls);

/// Runs `body` at the end of 16 such functions; a part of `bench_walk_random`.
void bench_descend_at_random(bool frame_pointers, uint32_t functions, void (*body)(void *),
                             void *argument);

/// Runs `body` below `depth` more frames of C, which keep frame pointers or do not.
void bench_descend(bool frame_pointers, uint32_t depth, void (*body)(void *), void *argument);

/// The processor time of one of `calls` walks, each below 16 functions picked at random from the
/// first `functions` of 4,096 that keep frame pointers, or of 4,096 that do not. The time to get
/// there is included: it is that of `BENCH_WALK_NONE`.
double bench_walk_random(bench_walker walker, bool frame_pointers, uint32_t functions,
                         uint32_t calls);

/// The elapsed time of the first walk on a thread that was just made, in nanoseconds.
double bench_walk_first_on_thread(bench_walker walker, uint32_t capacity);

/// How many private bytes each of `threads` threads keeps for having walked once.
double bench_walk_memory(bench_walker walker, uint32_t threads);

#endif

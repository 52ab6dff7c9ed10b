// What a program knows of who called whom, and what a walk says of it.
//
// Each task has a shadow: the functions of the program it is in, outermost first, written down by
// these functions themselves. A walk of a task is right if the async callers it finds are these.
#ifndef MAINSTAY_SHADOW_H
#define MAINSTAY_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

enum { SHADOW_DEPTH = 120, SHADOW_TEXT = 4 * SHADOW_DEPTH };

typedef struct shadow {
  uint64_t task;  // 0: its task has not begun, or has ended
  int32_t depth;
  uint8_t ways[SHADOW_DEPTH];
  struct shadow *next;
} shadow;

/// What came of the walks that were compared.
typedef struct {
  uint64_t right;
  uint64_t missing;   ///< the walk ended before the last caller, and said so
  uint64_t silent;    ///< the walk said that it was complete, and lacked callers
  uint64_t invented;  ///< a caller that did not call, or code of no module
  uint64_t callers;   ///< compared in all
  uint64_t off;       ///< interrupted where no async function ran
} shadow_sums;

/// Learns which code belongs to which of the program's functions `wayNN`, from its own symbols.
bool shadow_learn(void);

shadow *shadow_begin(void);

/// The calling task goes into a function, and comes out of it.
void shadow_enter(shadow *at, int way);
void shadow_leave(shadow *at);

/// How many tasks have begun.
uint64_t shadow_tasks(void);

/// Walks from here and compares: once by itself, twice as the recorder does. Nobody's shadow is
/// given where a task runs code for another: its own is looked up.
void shadow_look(shadow *at);

/// Writes the shadow as text, to be compared with a record later.
int shadow_write(shadow *at, char *text);

/// Compares a record's stack with a shadow that was written down.
void shadow_compare_record(const char *text, const uint64_t *frames, uint32_t count,
                           bool complete);

/// Interrupts threads that run tasks, at random, and compares what the walk from there says.
void shadow_interrupt_start(void);
void shadow_interrupt_stop(void);

typedef enum { SHADOW_LOOKS, SHADOW_RECORDS, SHADOW_INTERRUPTS } shadow_kind;
shadow_sums shadow_result(shadow_kind kind);

/// Prints the first walks that were wrong.
void shadow_print_wrong(void);

#endif

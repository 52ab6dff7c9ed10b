// The last message of a test process that a fatal signal ends.
#ifndef MAINSTAY_CLASTWORDS_H
#define MAINSTAY_CLASTWORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Texts to be written; the caller keeps them until it sets others.
typedef struct {
  const char *before;   ///< ends before the number of the step
  const char *between;  ///< stands between that and the schedule; NULL for neither
  const char *schedule;
  const size_t *ends;   ///< where each step ends in the schedule
  size_t count;
  const char *after;
} ms_dying_words;

/// Sets the message; NULL for none. The first call installs signal handlers, which forward to the previous ones.
///
/// Signal safety: none.
void ms_set_dying_words(const ms_dying_words *words);

/// The number of the step that begins, from 0.
///
/// Signal safety: safe; a store.
void ms_set_dying_step(size_t step);

#ifdef __cplusplus
}
#endif
#endif

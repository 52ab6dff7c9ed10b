// The message of a test process that is ended by a fatal signal.
#ifndef MAINSTAY_CLASTWORDS_H
#define MAINSTAY_CLASTWORDS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The texts of the message. The caller must keep them alive until it sets another message.
typedef struct {
  const char *before;   ///< the text before the number of the step
  const char *between;  ///< the text between the number and the schedule; NULL omits the number too
  const char *schedule;
  const size_t *ends;   ///< the end offset of each step in `schedule`
  size_t count;
  const char *after;
} ms_dying_words;

/// Sets the message; NULL for none. The first call installs signal handlers, which forward to the
/// previous ones.
///
/// Signal safety: none.
void ms_set_dying_words(const ms_dying_words *words);

/// Sets the index of the step that begins, from 0.
///
/// Signal safety: safe; a store.
void ms_set_dying_step(size_t step);

#ifdef __cplusplus
}
#endif
#endif

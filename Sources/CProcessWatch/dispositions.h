// What the files that own signal dispositions share.
#ifndef MAINSTAY_DISPOSITIONS_H
#define MAINSTAY_DISPOSITIONS_H

#include <stdatomic.h>

#include "CProcessWatch.h"

typedef struct {
  unsigned takes[MS_SIGNAL_TAKERS];
  _Atomic(ms_signal_action) actions[MS_SIGNAL_TAKERS];
  struct sigaction first;       // what stood there before we ever came
  struct sigaction found;       // what stood there when we last came
  bool has_first;
  _Atomic bool found_is_spent;  // it asked to be called once only, and was
} disposition;

static inline bool ms_has_handler(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

disposition *ms_disposition(int signal);
bool ms_is_ours(const struct sigaction *action);

/// Whether this thread is handing on `signal`, and a handler has handed it back to us.
bool ms_is_handing_on(int signal, const void *frame);

#endif

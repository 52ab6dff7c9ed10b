// Whoever looks at the process now and then does so for others too: one thread that wakes is enough.
#ifndef MAINSTAY_LOOKS_H
#define MAINSTAY_LOOKS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Has `look` called at each look, by one thread at a time; and `left_alone` when nobody looks any more. For good.
void ms_looks_join(void (*look)(void), void (*left_alone)(void));

/// Whether somebody looks.
bool ms_looks_are_made(void);

// Of who looks.
void ms_looks_begin(void);
void ms_looks_now(void);
void ms_looks_end(void);

#ifdef __cplusplus
}
#endif
#endif

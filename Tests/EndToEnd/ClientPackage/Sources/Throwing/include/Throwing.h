// What a host's own C++ does with the unwinder, and what a wrong link order breaks.
#ifndef CLIENT_THROWING_H
#define CLIENT_THROWING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Throws an exception through a frame with a destructor; whether both were seen.
bool client_throw_and_catch(void);

/// Cancels a thread inside a C++ frame with a destructor; whether that ran.
bool client_cancel_through_cxx(void);

/// The number of frames that the system's `backtrace` finds.
int client_backtrace(void);

#ifdef __cplusplus
}
#endif
#endif

// Declarations shared by the libraries that `crashscan run` preloads: the request, the log and messages.
#ifndef MAINSTAY_PRELOAD_H
#define MAINSTAY_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

/// The request of `crashscan run`, in environment variables that begin with MAINSTAY_RUN_.
typedef struct {
  const char *log;         ///< LOG: the path of this process's log; stays valid
  bool is_child;           ///< true if PROCESS names another process; CHILDREN enables the library in children
  bool is_in_tests;        ///< BUNDLES: true if `crashscan test` observes the test bundles among its descendants
  uint64_t threshold_ns;   ///< OVER: the threshold for calls
  uint32_t places;         ///< ON: ms_blocking_places
  const char *loops;       ///< LOOPS: comma-separated prefixes of the names of event loops' threads; or NULL
  int policy;              ///< POLICY: ms_toolkit_policy
  const char *allowed;     ///< ALLOW: lines of allowed calls and libraries; or NULL
} ms_preload_request;

/// Reads the request and removes it from the environment; returns false without a request for this process. The
/// strings stay valid.
bool ms_preload_take_request(ms_preload_request *request);

/// Returns a copy of an environment with the request of this process added, to execute another program; NULL if the
/// process has no request, if child processes have it too, or if there is not enough memory. The caller frees the
/// array alone.
char **ms_preload_environment(char *const *given);

/// Marks the end of the log as clean, because another program follows in this process. The preloaded library defines
/// this function and continues to record, in case the program cannot be executed.
void ms_preload_hand_over(void);

/// Starts the preloaded library, which defines this function. `request` is NULL if the process has no request.
void ms_preload_begin(const ms_preload_request *request);

/// Ends the work of the preloaded library, which defines this function, when the process with the request exits.
void ms_preload_end(void);

/// Opens a log of this process; on failure writes the reason to standard error and returns NULL.
ms_log *ms_preload_open_log(const char *path);

/// Lists the modules in a log and marks its end as clean.
void ms_preload_close_log(ms_log *log);

/// Writes a line to standard error.
void ms_preload_say(const char *what, const char *more);

#endif

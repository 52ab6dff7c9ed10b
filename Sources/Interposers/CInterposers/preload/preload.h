// Declarations shared by the libraries that `crashscan run` preloads: the request, the log and messages.
#ifndef MAINSTAY_PRELOAD_H
#define MAINSTAY_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "CRecorder.h"

/// The request of `crashscan run`, by environment variables that begin with MAINSTAY_RUN_.
typedef struct {
  const char *log;         ///< LOG: the path of this process's log; stays
  bool is_child;           ///< the process that PROCESS names started this one; CHILDREN allows that
  uint64_t threshold_ns;   ///< OVER: how long a call may take
  uint32_t places;         ///< ON: ms_blocking_places
  const char *loops;       ///< LOOPS: prefixes of the names of event loops' threads, separated by commas; or NULL
  int policy;              ///< POLICY: ms_toolkit_policy
  const char *allowed;     ///< ALLOW: lines of calls and libraries that are no findings; or NULL
} ms_preload_request;

/// Reads the request and takes it out of the environment; false if it asks nothing of this process. The strings stay.
bool ms_preload_take_request(ms_preload_request *request);

/// Starts the library, which defines this function, when it is loaded. `request` is NULL if the process has no
/// request.
void ms_preload_begin(const ms_preload_request *request);

/// Ends the work of the library, which defines this function, as the process exits that was asked.
void ms_preload_end(void);

/// Opens a log of this process, or says why not and returns NULL.
ms_log *ms_preload_open_log(const char *path);

/// Lists the modules in a log and marks its end as clean.
void ms_preload_close_log(ms_log *log);

/// Writes a line to standard error.
void ms_preload_say(const char *what, const char *more);

#endif

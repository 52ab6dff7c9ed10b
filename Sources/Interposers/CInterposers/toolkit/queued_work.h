// The work that a thread runs for another thread, and the sender of that work.
#ifndef MAINSTAY_TOOLKIT_WORK_H
#define MAINSTAY_TOOLKIT_WORK_H

#include "thread_starts.h"

/// Queued work, and the source of GLib's main loop that runs it.
typedef struct {
  const ms_toolkit_start *start;  ///< NULL if the sender is unknown
  const void *source;
} ms_toolkit_work;

/// Notes that this thread begins queued work. Returns the outer work, for `ms_toolkit_work_ends`.
ms_toolkit_work ms_toolkit_work_begins(const ms_toolkit_start *start);
void ms_toolkit_work_ends(ms_toolkit_work before);

/// A function of a GLib library; ends the process if the function is missing.
void *ms_toolkit_of_glib(const char *library, const char *name);

#define MS_GLIB "libglib-2.0.so.0"

unsigned g_source_attach(void *source, void *context);
void g_main_context_invoke(void *context, int (*run)(void *), void *data);
void g_main_context_invoke_full(void *context, int priority, int (*run)(void *), void *data, void (*forget)(void *));

/// Resets the lock in a forked child, where the thread that held the lock does not exist.
void ms_toolkit_sources_rest(void);

#endif

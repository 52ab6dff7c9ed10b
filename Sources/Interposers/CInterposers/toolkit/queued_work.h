// The work that a thread runs for another thread, and the sender of that work.
#ifndef MAINSTAY_TOOLKIT_WORK_H
#define MAINSTAY_TOOLKIT_WORK_H

#include "thread_starts.h"

/// A piece of work, and the source of GLib's main loop that it runs below.
typedef struct {
  const ms_toolkit_start *start;  ///< NULL where who queued it is not known
  const void *source;
} ms_toolkit_work;

/// Called when this thread begins a piece of work. Returns the previous one, for `ms_toolkit_work_ends`.
ms_toolkit_work ms_toolkit_work_begins(const ms_toolkit_start *start);
void ms_toolkit_work_ends(ms_toolkit_work before);

/// A function of a library of GLib's; ends the process where it is not there.
void *ms_toolkit_of_glib(const char *library, const char *name);

#define MS_GLIB "libglib-2.0.so.0"

unsigned g_source_attach(void *source, void *context);
void g_main_context_invoke(void *context, int (*run)(void *), void *data);
void g_main_context_invoke_full(void *context, int priority, int (*run)(void *), void *data, void (*forget)(void *));

/// In a process that was forked: another thread may have had the lock, and is not here.
void ms_toolkit_sources_rest(void);

#endif

// What the parts of the engine share. But for sending tasks, all of it is used on the engine's
// thread.

#ifndef OPERATIONS_ENGINE_PARTS_H
#define OPERATIONS_ENGINE_PARTS_H

#include "CScriptEngine.h"

#include <jsc/jsc.h>

struct script_engine {
  script_engine_callbacks callbacks;
  GMainContext *tasks;
  GMainLoop *loop;
  /// The names of the message handlers.
  GPtrArray *handlers;
  /// NULL until a script is loaded.
  JSCContext *script;
  /// The script's timers, the one that is due first in front.
  GSequence *timers;
  /// Where each of them stands there, by its number.
  GHashTable *timer_places;
  unsigned last_timer;
  /// Serves the timers one by one; it is ready when the first of them is due.
  GSource *timer_source;
};

/// An exception that was taken from the script, and what keeps its words.
typedef struct {
  script_failure failure;
  JSCException *exception;
  char *text;
} script_engine_exception;

/// Takes the exception that the script has thrown; false where it has thrown none.
bool script_engine_take(script_engine *engine, script_engine_exception *taken);

/// Lets go of what was taken; does nothing where nothing was.
void script_engine_let_go(script_engine_exception *taken);

/// Makes the engine ready for timers, before its thread runs.
void script_engine_begin_timers(script_engine *engine);

/// Forgets all timers.
void script_engine_drop_timers(script_engine *engine);

/// Undoes `script_engine_begin_timers`.
void script_engine_end_timers(script_engine *engine);

/// Gives a new script `setTimeout`, `setInterval`, `clearTimeout`, `clearInterval`.
void script_engine_give_timers(script_engine *engine);

/// Gives a new script `window` and `webkit.messageHandlers`.
void script_engine_give_handlers(script_engine *engine);

#endif

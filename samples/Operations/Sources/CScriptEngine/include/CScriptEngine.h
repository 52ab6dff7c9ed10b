// Runs scripts by JavaScriptCore on a thread of their own, with timers and message handlers.

#ifndef OPERATIONS_SCRIPT_ENGINE_H
#define OPERATIONS_SCRIPT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A thread that owns a script's context, and all that waits to be done there.
typedef struct script_engine script_engine;

/// An exception, in words; `file` is NULL and `line` 0 where it came from no script.
typedef struct {
  const char *name;
  const char *message;
  const char *file;
  unsigned line;
} script_failure;

/// What the engine calls, always on its own thread. No pointer is good after the call.
typedef struct {
  void *context;
  /// The script has called `webkit.messageHandlers.HANDLER.postMessage(body)`, and waits for the
  /// return. What is no string comes as JSON, and is no text.
  void (*posted)(void *context, const char *handler, const char *body, bool is_text);
  /// What was asked for under this token is done; `failure` is NULL where it went well.
  void (*answered)(void *context, uint64_t token, const script_failure *failure);
  /// A timer's function has thrown.
  void (*threw)(void *context, const script_failure *failure);
  /// The last call: the engine is gone.
  void (*ended)(void *context);
} script_engine_callbacks;

/// Starts the thread, which has no script yet; NULL where the system has no thread for it.
///
/// Scripts are interpreted, not compiled, and have no WebAssembly: either would replace the
/// process's handlers of SIGSEGV and SIGBUS. Of all signals the engine handles SIGUSR1 alone.
script_engine *script_engine_start(script_engine_callbacks callbacks);

/// Gives every script that is loaded from now on a message handler of this name.
void script_engine_add_handler(script_engine *engine, const char *name);

/// Drops the script that was there, its timers too, and evaluates another, whose functions are to
/// be called later: it must define `required`. One that fails is dropped at once.
void script_engine_load(
    script_engine *engine, const char *source, size_t count, const char *name, const char *required,
    uint64_t token);

/// Calls a function of the script with a string.
void script_engine_call(
    script_engine *engine, const char *function, const char *argument, uint64_t token);

/// Ends the thread after what was asked for before; does not wait for it. The engine is not to be
/// used any more.
void script_engine_stop(script_engine *engine);

#endif

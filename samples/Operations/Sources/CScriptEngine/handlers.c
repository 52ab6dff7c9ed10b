#include "engine.h"

typedef struct {
  script_engine *engine;
  char *name;
} handler;

static void free_handler(gpointer data) {
  handler *handler = data;
  g_free(handler->name);
  g_free(handler);
}

static void post_message(GPtrArray *parameters, gpointer data) {
  handler *handler = data;
  script_engine *engine = handler->engine;
  JSCValue *value = parameters->len > 0 ? parameters->pdata[0] : NULL;
  bool is_text = value && jsc_value_is_string(value);
  char *body = NULL;
  if (is_text) {
    body = jsc_value_to_string(value);
  } else if (value) {
    body = jsc_value_to_json(value, 0);
    // An object within itself has no JSON; the script hears so.
    if (jsc_context_get_exception(engine->script)) return g_free(body);
  }
  // What JSON has no word for, a function for one, is nothing.
  engine->callbacks.posted(
      engine->callbacks.context, handler->name, body ? body : "undefined", is_text);
  g_free(body);
}

static JSCValue *new_handler(script_engine *engine, const char *name) {
  handler *handler = g_new0(typeof(*handler), 1);
  handler->engine = engine;
  handler->name = g_strdup(name);
  JSCValue *function = jsc_value_new_function_variadic(
      engine->script, "postMessage", G_CALLBACK(post_message), handler, free_handler, G_TYPE_NONE);
  JSCValue *object = jsc_value_new_object(engine->script, NULL, NULL);
  jsc_value_object_set_property(object, "postMessage", function);
  g_object_unref(function);
  return object;
}

void script_engine_give_handlers(script_engine *engine) {
  JSCValue *handlers = jsc_value_new_object(engine->script, NULL, NULL);
  for (unsigned place = 0; place < engine->handlers->len; place++) {
    const char *name = engine->handlers->pdata[place];
    JSCValue *handler = new_handler(engine, name);
    jsc_value_object_set_property(handlers, name, handler);
    g_object_unref(handler);
  }
  JSCValue *webkit = jsc_value_new_object(engine->script, NULL, NULL);
  jsc_value_object_set_property(webkit, "messageHandlers", handlers);
  jsc_context_set_value(engine->script, "webkit", webkit);
  g_object_unref(webkit);
  g_object_unref(handlers);
  // Scripts made for a web view say `window.webkit`.
  JSCValue *window = jsc_context_get_global_object(engine->script);
  jsc_context_set_value(engine->script, "window", window);
  g_object_unref(window);
}

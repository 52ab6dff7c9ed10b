#include "engine.h"

#include <math.h>

// What a timer of the HTML standard can be set to at most.
static const double longest_delay = 2147483647;

typedef struct {
  script_engine *engine;
  unsigned number;
  bool repeats;
  JSCValue *function;
  /// What the function is called with.
  GPtrArray *arguments;
} timer;

static void free_timer(gpointer data) {
  timer *timer = data;
  g_object_unref(timer->function);
  g_ptr_array_unref(timer->arguments);
  g_free(timer);
}

static gboolean fire(gpointer data) {
  timer *timer = data;
  script_engine *engine = timer->engine;
  // The timer itself stays until this returns, also where its own function clears it.
  if (!timer->repeats) g_hash_table_remove(engine->timers, GUINT_TO_POINTER(timer->number));
  JSCValue *result = jsc_value_function_callv(
      timer->function, timer->arguments->len, (JSCValue **)timer->arguments->pdata);
  g_clear_object(&result);
  script_engine_exception taken;
  if (script_engine_take(engine, &taken)) {
    engine->callbacks.threw(engine->callbacks.context, &taken.failure);
  }
  script_engine_let_go(&taken);
  return timer->repeats ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static unsigned delay(GPtrArray *parameters) {
  double delay = parameters->len > 1 ? jsc_value_to_double(parameters->pdata[1]) : 0;
  return delay > 0 ? (unsigned)fmin(delay, longest_delay) : 0;
}

static JSCValue *set_timer(GPtrArray *parameters, script_engine *engine, bool repeats) {
  JSCValue *function = parameters->len > 0 ? parameters->pdata[0] : NULL;
  if (!function || !jsc_value_is_function(function)) {
    jsc_context_throw_with_name(engine->script, "TypeError", "a timer wants a function");
    return jsc_value_new_undefined(engine->script);
  }
  timer *timer = g_new0(typeof(*timer), 1);
  timer->engine = engine;
  timer->number = ++engine->last_timer;
  timer->repeats = repeats;
  timer->function = g_object_ref(function);
  timer->arguments = g_ptr_array_new_with_free_func(g_object_unref);
  for (unsigned place = 2; place < parameters->len; place++) {
    g_ptr_array_add(timer->arguments, g_object_ref(parameters->pdata[place]));
  }
  GSource *source = g_timeout_source_new(delay(parameters));
  g_source_set_callback(source, fire, timer, free_timer);
  g_source_attach(source, engine->tasks);
  g_hash_table_insert(engine->timers, GUINT_TO_POINTER(timer->number), source);
  return jsc_value_new_number(engine->script, timer->number);
}

static JSCValue *set_timeout(GPtrArray *parameters, gpointer engine) {
  return set_timer(parameters, engine, false);
}

static JSCValue *set_interval(GPtrArray *parameters, gpointer engine) {
  return set_timer(parameters, engine, true);
}

static void clear_timer(GPtrArray *parameters, gpointer data) {
  script_engine *engine = data;
  double number = parameters->len > 0 ? jsc_value_to_double(parameters->pdata[0]) : 0;
  if (number >= 1 && number <= engine->last_timer) {
    g_hash_table_remove(engine->timers, GUINT_TO_POINTER((unsigned)number));
  }
}

static void give(script_engine *engine, const char *name, GCallback callback, GType result) {
  JSCValue *function =
      jsc_value_new_function_variadic(engine->script, name, callback, engine, NULL, result);
  jsc_context_set_value(engine->script, name, function);
  g_object_unref(function);
}

void script_engine_give_timers(script_engine *engine) {
  give(engine, "setTimeout", G_CALLBACK(set_timeout), JSC_TYPE_VALUE);
  give(engine, "setInterval", G_CALLBACK(set_interval), JSC_TYPE_VALUE);
  give(engine, "clearTimeout", G_CALLBACK(clear_timer), G_TYPE_NONE);
  give(engine, "clearInterval", G_CALLBACK(clear_timer), G_TYPE_NONE);
}

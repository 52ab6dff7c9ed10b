#include "engine.h"

#include <math.h>

// What a timer of the HTML standard can be set to at most.
static const double longest_delay = 2147483647;

typedef struct {
  unsigned number;
  /// When it fires next, by the monotonic clock, in microseconds.
  gint64 due;
  /// The time from one firing to the next; negative where it fires once.
  gint64 period;
  JSCValue *function;
  /// What the function is called with.
  GPtrArray *arguments;
} timer;

static void clear(gpointer data) {
  timer *timer = data;
  g_object_unref(timer->function);
  g_ptr_array_unref(timer->arguments);
}

static void release(gpointer timer) { g_rc_box_release_full(timer, clear); }

// What is due first comes first, and of two that are due at once the one that was set first.
static int compare(gconstpointer left, gconstpointer right, gpointer unused) {
  (void)unused;
  const timer *one = left, *other = right;
  if (one->due != other->due) return one->due < other->due ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

static timer *first(script_engine *engine) {
  GSequenceIter *place = g_sequence_get_begin_iter(engine->timers);
  return g_sequence_iter_is_end(place) ? NULL : g_sequence_get(place);
}

static void arm(script_engine *engine) {
  timer *next = first(engine);
  g_source_set_ready_time(engine->timer_source, next ? next->due : -1);
}

static void drop(script_engine *engine, unsigned number) {
  GSequenceIter *place = g_hash_table_lookup(engine->timer_places, GUINT_TO_POINTER(number));
  if (!place) return;
  g_hash_table_remove(engine->timer_places, GUINT_TO_POINTER(number));
  g_sequence_remove(place);
}

static void fire(script_engine *engine, timer *timer) {
  JSCValue *result = jsc_value_function_callv(
      timer->function, timer->arguments->len, (JSCValue **)timer->arguments->pdata);
  g_clear_object(&result);
  script_engine_exception taken;
  if (script_engine_take(engine, &taken)) {
    engine->callbacks.threw(engine->callbacks.context, &taken.failure);
  }
  script_engine_let_go(&taken);
}

// One timer a turn, so that what was asked for meanwhile is not kept waiting.
static gboolean serve_first(gpointer data) {
  script_engine *engine = data;
  timer *timer = first(engine);
  gint64 now = g_get_monotonic_time();
  if (timer && timer->due <= now) {
    // Its own function may clear it.
    g_rc_box_acquire(timer);
    if (timer->period < 0) {
      drop(engine, timer->number);
    } else {
      timer->due = now + timer->period;
      g_sequence_sort_changed(g_sequence_get_begin_iter(engine->timers), compare, NULL);
    }
    fire(engine, timer);
    release(timer);
  }
  arm(engine);
  return G_SOURCE_CONTINUE;
}

static gint64 delay(GPtrArray *parameters) {
  double delay = parameters->len > 1 ? jsc_value_to_double(parameters->pdata[1]) : 0;
  return delay > 0 ? (gint64)(fmin(delay, longest_delay) * 1000) : 0;
}

static GPtrArray *arguments(GPtrArray *parameters) {
  GPtrArray *arguments = g_ptr_array_new_with_free_func(g_object_unref);
  for (unsigned place = 2; place < parameters->len; place++) {
    g_ptr_array_add(arguments, g_object_ref(parameters->pdata[place]));
  }
  return arguments;
}

static JSCValue *set_timer(GPtrArray *parameters, script_engine *engine, bool repeats) {
  JSCValue *function = parameters->len > 0 ? parameters->pdata[0] : NULL;
  if (!function || !jsc_value_is_function(function)) {
    jsc_context_throw_with_name(engine->script, "TypeError", "a timer wants a function");
    return jsc_value_new_undefined(engine->script);
  }
  timer *timer = g_rc_box_new0(typeof(*timer));
  timer->number = ++engine->last_timer;
  timer->period = repeats ? delay(parameters) : -1;
  timer->due = g_get_monotonic_time() + delay(parameters);
  timer->function = g_object_ref(function);
  timer->arguments = arguments(parameters);
  GSequenceIter *place = g_sequence_insert_sorted(engine->timers, timer, compare, NULL);
  g_hash_table_insert(engine->timer_places, GUINT_TO_POINTER(timer->number), place);
  arm(engine);
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
    drop(engine, (unsigned)number);
    arm(engine);
  }
}

// The clock of `g_source_set_ready_time` says when it is ready.
static gboolean serve_timers(GSource *source, GSourceFunc callback, gpointer data) {
  (void)source;
  return callback(data);
}

void script_engine_begin_timers(script_engine *engine) {
  static GSourceFuncs functions = {.dispatch = serve_timers};
  engine->timers = g_sequence_new(release);
  engine->timer_places = g_hash_table_new(g_direct_hash, g_direct_equal);
  engine->timer_source = g_source_new(&functions, sizeof(GSource));
  g_source_set_callback(engine->timer_source, serve_first, engine, NULL);
  g_source_attach(engine->timer_source, engine->tasks);
}

void script_engine_drop_timers(script_engine *engine) {
  g_hash_table_remove_all(engine->timer_places);
  g_sequence_remove_range(
      g_sequence_get_begin_iter(engine->timers), g_sequence_get_end_iter(engine->timers));
  arm(engine);
}

void script_engine_end_timers(script_engine *engine) {
  g_source_destroy(engine->timer_source);
  g_source_unref(engine->timer_source);
  g_sequence_free(engine->timers);
  g_hash_table_unref(engine->timer_places);
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

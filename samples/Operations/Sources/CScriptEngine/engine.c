#include "engine.h"

#include <string.h>

/// Something to be done on the engine's thread, with what it needs for that.
typedef struct task {
  script_engine *engine;
  void (*perform)(const struct task *);
  uint64_t token;
  /// The source, or the function to call.
  char *text;
  size_t count;
  /// The name of the source, or the argument.
  char *name;
  char *required;
} task;

bool script_engine_take(script_engine *engine, script_engine_exception *taken) {
  *taken = (script_engine_exception){0};
  JSCException *exception = engine->script ? jsc_context_get_exception(engine->script) : NULL;
  if (!exception) return false;
  taken->exception = g_object_ref(exception);
  jsc_context_clear_exception(engine->script);
  const char *name = jsc_exception_get_name(exception);
  const char *message = jsc_exception_get_message(exception);
  // What is thrown need not be an error: of a text, only the text is known.
  if (!message || !*message) message = taken->text = jsc_exception_to_string(exception);
  taken->failure = (script_failure){
      .name = name && *name ? name : "Error",
      .message = message ? message : "",
      .file = jsc_exception_get_source_uri(exception),
      .line = jsc_exception_get_line_number(exception),
  };
  return true;
}

void script_engine_let_go(script_engine_exception *taken) {
  g_clear_object(&taken->exception);
  g_clear_pointer(&taken->text, g_free);
}

static void answer(const task *task, const script_failure *otherwise) {
  script_engine *engine = task->engine;
  script_engine_exception taken;
  bool threw = script_engine_take(engine, &taken);
  engine->callbacks.answered(
      engine->callbacks.context, task->token, threw ? &taken.failure : otherwise);
  script_engine_let_go(&taken);
}

static void drop_script(script_engine *engine) {
  script_engine_drop_timers(engine);
  g_clear_object(&engine->script);
}

/// Whether the script has a function of that name, however it is declared.
static bool defines(script_engine *engine, const char *function) {
  char *question = g_strdup_printf("typeof %s === 'function'", function);
  JSCValue *value = jsc_context_evaluate(engine->script, question, -1);
  bool is_defined = jsc_value_to_boolean(value);
  g_object_unref(value);
  g_free(question);
  return is_defined;
}

static void load(const task *task) {
  script_engine *engine = task->engine;
  drop_script(engine);
  engine->script = jsc_context_new();
  script_engine_give_timers(engine);
  script_engine_give_handlers(engine);
  JSCValue *value = jsc_context_evaluate_with_source_uri(
      engine->script, task->text, (gssize)task->count, task->name, 1);
  g_object_unref(value);
  bool threw = jsc_context_get_exception(engine->script) != NULL;
  if (!threw && defines(engine, task->required)) return answer(task, NULL);
  char *message = g_strdup_printf("%s does not define %s", task->name, task->required);
  script_failure failure = {.name = "Error", .message = message, .file = task->name};
  answer(task, &failure);
  g_free(message);
  drop_script(engine);
}

static void call(const task *task) {
  script_engine *engine = task->engine;
  if (!engine->script) {
    script_failure failure = {.name = "Error", .message = "no script is loaded"};
    return answer(task, &failure);
  }
  script_failure failure = {.name = "TypeError", .message = "what was called is no function"};
  JSCValue *function = jsc_context_evaluate(engine->script, task->text, -1);
  bool is_function = jsc_value_is_function(function);
  if (is_function) {
    JSCValue *argument = jsc_value_new_string(engine->script, task->name);
    JSCValue *result = jsc_value_function_callv(function, 1, &argument);
    g_clear_object(&result);
    g_object_unref(argument);
  }
  g_object_unref(function);
  answer(task, is_function ? NULL : &failure);
}

static void add_handler(const task *task) {
  g_ptr_array_add(task->engine->handlers, g_strdup(task->text));
}

static void stop(const task *task) { g_main_loop_quit(task->engine->loop); }

static gboolean perform(gpointer data) {
  const task *task = data;
  task->perform(task);
  return G_SOURCE_REMOVE;
}

static void free_task(gpointer data) {
  task *task = data;
  g_free(task->text);
  g_free(task->name);
  g_free(task->required);
  g_free(task);
}

/// Has a copy of the task performed after those that were sent before.
static void send(task wanted) {
  GSource *source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_set_callback(source, perform, g_memdup2(&wanted, sizeof wanted), free_task);
  g_source_attach(source, wanted.engine->tasks);
  g_source_unref(source);
}

static void free_engine(script_engine *engine) {
  script_engine_end_timers(engine);
  g_ptr_array_unref(engine->handlers);
  g_main_loop_unref(engine->loop);
  g_main_context_unref(engine->tasks);
  g_free(engine);
}

static gpointer run(gpointer data) {
  script_engine *engine = data;
  g_main_context_push_thread_default(engine->tasks);
  g_main_loop_run(engine->loop);
  drop_script(engine);
  g_main_context_pop_thread_default(engine->tasks);
  engine->callbacks.ended(engine->callbacks.context);
  free_engine(engine);
  return NULL;
}

// The compiler and WebAssembly would each have SIGSEGV and SIGBUS handled, for their own purposes.
static void leave_signals_alone(void) {
  static gsize is_done = 0;
  if (!g_once_init_enter(&is_done)) return;
  jsc_options_set_boolean(JSC_OPTIONS_USE_JIT, FALSE);
  jsc_options_set_boolean("useWasm", FALSE);
  g_once_init_leave(&is_done, 1);
}

script_engine *script_engine_start(script_engine_callbacks callbacks) {
  leave_signals_alone();
  script_engine *engine = g_new0(script_engine, 1);
  engine->callbacks = callbacks;
  engine->tasks = g_main_context_new();
  engine->loop = g_main_loop_new(engine->tasks, FALSE);
  engine->handlers = g_ptr_array_new_with_free_func(g_free);
  script_engine_begin_timers(engine);
  GThread *thread = g_thread_try_new("script engine", run, engine, NULL);
  if (thread) {
    g_thread_unref(thread);
    return engine;
  }
  free_engine(engine);
  return NULL;
}

void script_engine_add_handler(script_engine *engine, const char *name) {
  send((task){.engine = engine, .perform = add_handler, .text = g_strdup(name)});
}

void script_engine_load(
    script_engine *engine, const char *source, size_t count, const char *name, const char *required,
    uint64_t token) {
  send((task){
      .engine = engine,
      .perform = load,
      .token = token,
      .text = g_strndup(source, count),
      .count = count,
      .name = g_strdup(name),
      .required = g_strdup(required),
  });
}

void script_engine_call(
    script_engine *engine, const char *function, const char *argument, uint64_t token) {
  send((task){
      .engine = engine,
      .perform = call,
      .token = token,
      .text = g_strdup(function),
      .name = g_strdup(argument),
  });
}

void script_engine_stop(script_engine *engine) {
  send((task){.engine = engine, .perform = stop});
}

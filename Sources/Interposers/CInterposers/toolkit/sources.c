// Interposes the functions that send work to a main loop of another thread, so that a finding can name the sender.
//
// A source is identified by its pointer and its number, because pointers are reused. The sources of the default main
// loop belong to the owner, and are not recorded.

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "list.h"
#include "queued_work.h"

static __thread ms_toolkit_work work __attribute__((tls_model("initial-exec")));

void *ms_toolkit_of_glib(const char *library, const char *name) {
  void *found = ms_toolkit_find(library, name);
  if (!found) ms_toolkit_end_without(name);
  return found;
}

/// Looks up a function of GLib, with a cache.
static void *of_glib(_Atomic(void *) *known, const char *name) {
  void *found = atomic_load(known);
  if (!found) atomic_store(known, found = ms_toolkit_of_glib(MS_GLIB, name));
  return found;
}

/// The source that this thread runs; NULL if no source is running.
static void *current_source(void) {
  static _Atomic(void *) known;
  return ((void *(*)(void))of_glib(&known, "g_main_current_source"))();
}

ms_toolkit_work ms_toolkit_work_begins(const ms_toolkit_start *start) {
  ms_toolkit_work before = work;
  work = (ms_toolkit_work){start, current_source()};
  return before;
}

void ms_toolkit_work_ends(ms_toolkit_work before) { work = before; }

// --- Attached sources

typedef struct {
  const void *source;
  unsigned number;  // 0: being attached
  ms_toolkit_start start;
} attached;

enum { places = 256 };

static struct {
  pthread_mutex_t lock;
  attached *noted[places];  // the source that was attached last, for each bucket
} sources = {.lock = PTHREAD_MUTEX_INITIALIZER};

static attached **place_of(const void *source) { return &sources.noted[((uintptr_t)source >> 4) % places]; }

static void put(attached *one) {
  pthread_mutex_lock(&sources.lock);
  attached *before = *place_of(one->source);
  *place_of(one->source) = one;
  pthread_mutex_unlock(&sources.lock);
  free(before);
}

/// Sets the number of an attached source, which may have run, ended and been replaced meanwhile.
static void number(const void *source, const attached *one, unsigned number) {
  pthread_mutex_lock(&sources.lock);
  if (*place_of(source) == one) (*place_of(source))->number = number;
  pthread_mutex_unlock(&sources.lock);
}

/// Finds the thread that attached the running source, if that is another thread.
static bool find(const void *source, unsigned number, ms_toolkit_start *start) {
  pthread_mutex_lock(&sources.lock);
  const attached *one = *place_of(source);
  bool is_it = one && one->source == source && (one->number == 0 || one->number == number) &&
               one->start.by.number != ms_toolkit_this_thread().number;
  if (is_it) *start = one->start;
  pthread_mutex_unlock(&sources.lock);
  return is_it;
}

const ms_toolkit_start *ms_toolkit_own_work(ms_toolkit_start *room) {
  static _Atomic(void *) known;
  void *source = ms_toolkit_find(MS_GLIB, "g_main_current_source") ? current_source() : NULL;
  if (!source || (work.start && work.source == source)) return work.start;
  unsigned number = ((unsigned (*)(void *))of_glib(&known, "g_source_get_id"))(source);
  return find(source, number, room) ? room : work.start;
}

/// True if senders of work to the loop with this context are recorded.
static bool is_noted(const void *context) {
  static _Atomic(void *) known;
  return context && ms_toolkit_notes_starts() &&
         context != ((void *(*)(void))of_glib(&known, "g_main_context_default"))();
}

static unsigned attach(void *source, void *context, uintptr_t caller) {
  static _Atomic(void *) known;
  int before = errno;
  unsigned (*real)(void *, void *) = (unsigned (*)(void *, void *))of_glib(&known, "g_source_attach");
  attached *one = source && is_noted(context) ? calloc(1, sizeof *one) : NULL;
  if (one) {
    one->source = source;
    ms_toolkit_note_start(&one->start, caller);
    put(one);
  }
  errno = before;
  unsigned result = real(source, context);
  if (one) number(source, one, result);
  return result;
}

__attribute__((visibility("default"))) unsigned g_source_attach(void *source, void *context) {
  return attach(source, context, (uintptr_t)__builtin_return_address(0));
}

// --- Functions for a loop to call

/// Attaches a one-shot GSource, exactly as `g_main_context_invoke` does.
static void attach_call(void *context, int priority, int (*run)(void *), void *data, void (*forget)(void *),
                        uintptr_t caller) {
  static _Atomic(void *) make, prefer, call, release;
  void *source = ((void *(*)(void))of_glib(&make, "g_idle_source_new"))();
  ((void (*)(void *, int))of_glib(&prefer, "g_source_set_priority"))(source, priority);
  ((void (*)(void *, int (*)(void *), void *, void (*)(void *)))of_glib(&call, "g_source_set_callback"))(
      source, run, data, forget);
  attach(source, context, caller);
  ((void (*)(void *))of_glib(&release, "g_source_unref"))(source);
}

/// True if `g_main_context_invoke` calls, or may call, the function at once on this thread.
static bool is_own(void *context) {
  static _Atomic(void *) is_owner, own;
  return ((int (*)(void *))of_glib(&is_owner, "g_main_context_is_owner"))(context) ||
         ((void *(*)(void))of_glib(&own, "g_main_context_get_thread_default"))() == context;
}

static void invoke(void *context, int priority, int (*run)(void *), void *data, void (*forget)(void *),
                   uintptr_t caller) {
  static _Atomic(void *) known;
  typedef void (*invoke_full)(void *, int, int (*)(void *), void *, void (*)(void *));
  if (run && is_noted(context) && !is_own(context)) {
    return attach_call(context, priority, run, data, forget, caller);
  }
  ((invoke_full)of_glib(&known, "g_main_context_invoke_full"))(context, priority, run, data, forget);
}

__attribute__((visibility("default"))) void g_main_context_invoke(void *context, int (*run)(void *), void *data) {
  invoke(context, 0, run, data, NULL, (uintptr_t)__builtin_return_address(0));
}

__attribute__((visibility("default"))) void g_main_context_invoke_full(void *context, int priority,
                                                                       int (*run)(void *), void *data,
                                                                       void (*forget)(void *)) {
  invoke(context, priority, run, data, forget, (uintptr_t)__builtin_return_address(0));
}

void ms_toolkit_sources_rest(void) { pthread_mutex_init(&sources.lock, NULL); }

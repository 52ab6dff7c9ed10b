// A thread with a main loop of its own, to which others hand work. With the argument `wrong` that calls GTK itself.
#include <stdlib.h>

#include "window.h"

static GMainLoop *loop, *inner;
static int calls;

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

/// Goes on until it has been called twice.
static gboolean attached(gpointer text) {
  if (++calls < 2) return G_SOURCE_CONTINUE;
  if (is_wrong) {
    gtk_label_set_text(GTK_LABEL(label), text);  // here
  } else {
    g_idle_add(show, text);
  }
  return G_SOURCE_REMOVE;
}

static gboolean invoked(gpointer text) {
  if (is_wrong) {
    gtk_label_set_text(GTK_LABEL(label), text);  // and here
  } else {
    g_idle_add(show, text);
  }
  return G_SOURCE_REMOVE;
}

static gboolean last(gpointer text) {
  (void)text;
  g_main_loop_quit(inner);
  return G_SOURCE_REMOVE;
}

static void forget(gpointer text) {
  if (strcmp(text, "invoked") != 0) abort();
}

static gpointer turn(gpointer unused) {
  g_main_loop_run(inner);
  return unused;
}

/// What is attached from one place must not be taken for what another one attached.
static void attach_many(GMainContext *context) {
  for (int i = 0; i < 1000; i++) {
    GSource *source = g_idle_source_new();
    g_source_attach(source, context);
    g_source_destroy(source);
    g_source_unref(source);
  }
}

int main(int count, char **arguments) {
  loop = begin(count, arguments);
  GMainContext *context = g_main_context_new();
  inner = g_main_loop_new(context, FALSE);
  attach_many(context);
  GSource *source = g_idle_source_new();
  g_source_set_callback(source, attached, "attached", NULL);
  g_source_attach(source, context);  // queues
  g_source_unref(source);
  g_main_context_invoke_full(context, G_PRIORITY_LOW, invoked, "invoked", forget);  // queues
  // What runs at once, on who has the loop, is nobody else's.
  if (!g_main_context_acquire(context)) abort();
  g_main_context_invoke(context, show, "at once");
  g_main_context_release(context);
  GSource *end_of_it = g_idle_source_new();
  g_source_set_priority(end_of_it, G_PRIORITY_LOW + 1);
  g_source_set_callback(end_of_it, last, NULL, NULL);
  g_source_attach(end_of_it, context);
  g_source_unref(end_of_it);
  // Nobody draws meanwhile: what the fault may do is another matter.
  g_thread_join(g_thread_new("turner", turn, NULL));
  g_idle_add(end, loop);
  g_main_loop_run(loop);
  return 7;
}

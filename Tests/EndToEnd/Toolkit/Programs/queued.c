// Work of GTask and of GThreadPool, on threads that others started. With the argument `wrong` it calls GTK itself.
#include <stdlib.h>

#include "window.h"

static GMainLoop *loop;
static GAsyncQueue *done;

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

static void work_of_task(GTask *task, gpointer source, gpointer data, GCancellable *cancellable) {
  (void)source, (void)data, (void)cancellable;
  if (is_wrong) {
    gtk_label_set_text(GTK_LABEL(label), "task");  // here
  } else {
    g_idle_add(show, "task");
  }
  g_async_queue_push(done, "task");
  g_task_return_boolean(task, TRUE);
}

static void work_of_pool(gpointer text, gpointer context) {
  if (context != &loop) abort();
  if (!text) abort();
  if (is_wrong && strcmp(text, "last") == 0) {
    gtk_label_set_text(GTK_LABEL(label), text);  // and here
  } else {
    g_idle_add(show, text);
  }
  g_async_queue_push(done, text);
}

static void is_done(GObject *source, GAsyncResult *result, gpointer pool) {
  (void)source;
  if (!g_task_propagate_boolean(G_TASK(result), NULL)) abort();
  g_thread_pool_free(pool, FALSE, TRUE);
  g_idle_add(end, loop);
}

/// What starts the pool's thread is not what is wrong.
static void queue_first(GThreadPool *pool) { g_thread_pool_push(pool, "first", NULL); }

static gpointer queue_last(gpointer pool) {
  g_thread_pool_push(pool, "last", NULL);  // queues
  return NULL;
}

int main(int count, char **arguments) {
  loop = begin(count, arguments);
  done = g_async_queue_new();
  GThreadPool *pool = g_thread_pool_new(work_of_pool, &loop, 1, TRUE, NULL);
  queue_first(pool);
  g_thread_join(g_thread_new("queuer", queue_last, pool));
  GTask *task = g_task_new(NULL, NULL, is_done, pool);
  g_task_run_in_thread(task, work_of_task);  // queues
  g_object_unref(task);
  // Nobody draws meanwhile: what the fault may do is another matter.
  for (int i = 0; i < 3; i++) g_async_queue_pop(done);
  g_main_loop_run(loop);
  return 7;
}

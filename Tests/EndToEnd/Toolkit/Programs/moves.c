// GTK moves to another thread, which runs the main loop from then on. With the argument `wrong` the one that began goes
// on calling it.
#include "window.h"

static GMutex mutex;
static GCond changed;
static gboolean has_moved, has_called;

static gboolean arrive(gpointer unused) {
  (void)unused;
  // The first call of the thread that runs the loop now.
  gtk_label_set_text(GTK_LABEL(label), "moved");
  g_mutex_lock(&mutex);
  has_moved = TRUE;
  g_cond_broadcast(&changed);
  // Nobody draws meanwhile: what the fault may do is another matter.
  while (!has_called) g_cond_wait(&changed, &mutex);
  g_mutex_unlock(&mutex);
  return G_SOURCE_REMOVE;
}

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

static gpointer run(gpointer loop) {
  g_main_loop_run(loop);
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  g_idle_add(arrive, NULL);
  GThread *runner = g_thread_new("runner", run, loop);
  g_mutex_lock(&mutex);
  while (!has_moved) g_cond_wait(&changed, &mutex);
  g_mutex_unlock(&mutex);
  if (is_wrong) {
    gtk_label_set_text(GTK_LABEL(label), "done");  // here
  } else {
    g_idle_add(show, "done");
  }
  g_mutex_lock(&mutex);
  has_called = TRUE;
  g_cond_broadcast(&changed);
  g_mutex_unlock(&mutex);
  g_idle_add(end, loop);
  g_thread_join(runner);
  return 7;
}

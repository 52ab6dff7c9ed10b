// A worker that takes the lock of GTK 3 for its call. With the argument `wrong` it calls once more without.
#include "window.h"

static gboolean is_wrong;

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static gpointer work(gpointer loop) {
  gdk_threads_enter();
  gtk_label_set_text(GTK_LABEL(label), "with the lock");
  gdk_threads_leave();
  if (is_wrong) {
    gtk_label_set_text(GTK_LABEL(label), "without");  // here
  }
  gdk_threads_add_idle(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  is_wrong = is_asked_to_be_wrong(count, arguments);
  gdk_threads_init();
  gdk_threads_enter();
  start_gtk();
  open_window();
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  GThread *worker = g_thread_new("worker", work, loop);
  gdk_threads_leave();
  // Nobody draws meanwhile: what the fault may do is another matter.
  g_thread_join(worker);
  g_main_loop_run(loop);
  return 7;
}

// A worker that takes the lock of GTK 3 for its call. With the argument `wrong` it calls once more without.
#include "window.h"

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
  gdk_threads_init();
  gdk_threads_enter();
  GMainLoop *loop = begin(count, arguments);
  gdk_threads_leave();
  return run_beside(work, loop, loop);
}

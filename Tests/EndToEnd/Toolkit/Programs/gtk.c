// A window whose text a worker changes: by itself with the argument `wrong`, else by handing it over. GTK 3 and 4.
#include "window.h"

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

static gpointer work(gpointer loop) {
  if (is_wrong) {
    for (int i = 0; i < 12; i++) {
      gtk_label_set_text(GTK_LABEL(label), "done");  // here
    }
  } else {
    g_idle_add(show, "done");
  }
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  gtk_widget_set_name(label, "state");
  return run_beside(work, loop, loop);
}

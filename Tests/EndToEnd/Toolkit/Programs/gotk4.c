// A reduction of diamondburned/gotk4 issue 135, in C, of what it tells and no code of it: a list is hidden by what Go
// started, on whichever thread that runs. With the argument `wrong`; else it is handed over.
#include "window.h"

static gboolean hide(gpointer list) {
  gtk_widget_set_visible(list, FALSE);  // here
  return G_SOURCE_REMOVE;
}

static gpointer routine(gpointer loop) {
  if (is_wrong) hide(label);
  else g_idle_add(hide, label);
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  return run_beside(routine, loop, loop);
}

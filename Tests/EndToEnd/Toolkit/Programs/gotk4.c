// A reduction of diamondburned/gotk4 issue 135, in C, of what it tells and no code of it: a list is hidden by what Go
// started, on whichever thread that runs. With the argument `wrong`; else it is handed over.
#include <pthread.h>

#include "window.h"

static gboolean is_wrong;

static gboolean hide(gpointer list) {
  gtk_widget_set_visible(list, FALSE);  // here
  return G_SOURCE_REMOVE;
}

static void *routine(void *loop) {
  if (is_wrong) hide(label);
  else g_idle_add(hide, label);
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  is_wrong = is_asked_to_be_wrong(count, arguments);
  start_gtk();
  open_window();
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  pthread_t thread;
  if (pthread_create(&thread, NULL, routine, loop) != 0) return 1;
  // Nobody draws meanwhile: what the fault may do is another matter.
  pthread_join(thread, NULL);
  g_main_loop_run(loop);
  return 7;
}

// To be built with -O2, which makes jumps of last calls. Calls that share a place to return to: a function of GTK's that ends by calling one of GObject's is one call; two
// functions that are called in one line are two.
#include "window.h"

static void name(void *widget) { gtk_widget_get_name(widget); }
static void tell(void *widget) { g_object_notify(widget, "label"); }

static void one_by_one(void) {
  void (*functions[])(void *) = {name, tell};
  for (volatile int i = 0; i < 2; i++) {
    functions[i](label);  // here
  }
}

static gboolean call(gpointer unused) {
  (void)unused;
  one_by_one();
  GtkWidget *box = g_object_ref_sink(gtk_separator_new(GTK_ORIENTATION_VERTICAL));  // and here
  g_object_unref(box);
  return G_SOURCE_REMOVE;
}

static gpointer work(gpointer loop) {
  if (is_wrong) call(NULL);
  else g_idle_add(call, NULL);
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  return run_beside(work, loop, loop);
}

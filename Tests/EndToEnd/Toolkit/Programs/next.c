// A program with a function of GTK's own name, which leads to the real one by `dlsym(RTLD_NEXT)`.
#define _GNU_SOURCE
#include <dlfcn.h>

#include "window.h"

void gtk_label_set_text(GtkLabel *one, const char *text) {
  void (*real)(GtkLabel *, const char *) = (void (*)(GtkLabel *, const char *))dlsym(RTLD_NEXT, "gtk_label_set_text");
  char *loud = g_utf8_strup(text, -1);
  real(one, loud);
  g_free(loud);
}

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);  // here
  return G_SOURCE_REMOVE;
}

static gpointer work(gpointer loop) {
  if (is_wrong) show("done");
  else g_idle_add(show, "done");
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  int status = run_beside(work, loop, loop);
  return strcmp(gtk_label_get_text(GTK_LABEL(label)), "DONE") == 0 ? status : 1;
}

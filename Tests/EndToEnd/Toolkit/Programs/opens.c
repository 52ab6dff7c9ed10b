// A program that is not linked with GTK, and loads it where nobody else sees it.
#include <dlfcn.h>
#include <gtk/gtk.h>
#include <stdlib.h>
#include <string.h>

static void *gtk;
#define OF_GTK(name) __typeof__(name) *of_##name = (__typeof__(name) *)dlsym(gtk, #name)

static GtkWidget *label;
static gboolean is_wrong;

static gboolean show(gpointer text) {
  OF_GTK(gtk_label_set_text);
  of_gtk_label_set_text((GtkLabel *)label, text);  // here
  return G_SOURCE_REMOVE;
}

static gboolean end(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static gpointer work(gpointer loop) {
  if (is_wrong) show("done");
  else g_idle_add(show, "done");
  g_idle_add(end, loop);
  return NULL;
}

int main(int count, char **arguments) {
  is_wrong = count > 1 && strcmp(arguments[1], "wrong") == 0;
  gtk = dlopen(GTK_MAJOR_VERSION == 3 ? "libgtk-3.so.0" : "libgtk-4.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!gtk) abort();
  // What only the other GTK has is not there, whoever stands in front.
  if (dlsym(gtk, GTK_MAJOR_VERSION == 3 ? "gtk_widget_set_layout_manager" : "gtk_widget_show_all")) abort();
  OF_GTK(gtk_init);
  OF_GTK(gtk_label_new);
#if GTK_MAJOR_VERSION == 3
  of_gtk_init(NULL, NULL);
#else
  of_gtk_init();
#endif
  label = g_object_ref_sink(of_gtk_label_new("waits"));
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  GThread *worker = g_thread_new("worker", work, loop);
  g_main_loop_run(loop);
  g_thread_join(worker);
  return 7;
}

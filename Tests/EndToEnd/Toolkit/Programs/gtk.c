// A window whose text a worker changes: by itself with the argument `wrong`, else by handing it over. GTK 3 and 4.
#include <gtk/gtk.h>
#include <string.h>

static GtkWidget *window, *label;
static GMainLoop *loop;
static gboolean is_wrong;

static gboolean end(gpointer unused) {
  (void)unused;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static gboolean show(gpointer text) {
  gtk_label_set_text(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

static gpointer work(gpointer unused) {
  (void)unused;
  if (is_wrong) {
    for (int i = 0; i < 12; i++) {
      gtk_label_set_text(GTK_LABEL(label), "done");  // here
    }
  } else {
    g_idle_add(show, "done");
  }
  g_idle_add(end, NULL);
  return NULL;
}

int main(int count, char **arguments) {
  is_wrong = count > 1 && strcmp(arguments[1], "wrong") == 0;
#if GTK_MAJOR_VERSION == 3
  gtk_init(&count, &arguments);
  window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  label = gtk_label_new("waits");
  gtk_container_add(GTK_CONTAINER(window), label);
  gtk_widget_show_all(window);
#else
  gtk_init();
  window = gtk_window_new();
  label = gtk_label_new("waits");
  gtk_window_set_child(GTK_WINDOW(window), label);
  gtk_window_present(GTK_WINDOW(window));
#endif
  gtk_widget_set_name(label, "state");
  loop = g_main_loop_new(NULL, FALSE);
  GThread *worker = g_thread_new("worker", work, NULL);
  // Nobody draws meanwhile: what the fault may do is another matter.
  g_thread_join(worker);
  g_main_loop_run(loop);
  return 7;
}

// A window with a label, of GTK 3 and 4, for programs that end with 7.
#include <gtk/gtk.h>
#include <string.h>

static GtkWidget *label;

static inline void open_window(void) {
#if GTK_MAJOR_VERSION == 3
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  label = gtk_label_new("waits");
  gtk_container_add(GTK_CONTAINER(window), label);
  gtk_widget_show_all(window);
#else
  GtkWidget *window = gtk_window_new();
  label = gtk_label_new("waits");
  gtk_window_set_child(GTK_WINDOW(window), label);
  gtk_window_present(GTK_WINDOW(window));
#endif
}

static inline void start_gtk(void) {
#if GTK_MAJOR_VERSION == 3
  gtk_init(NULL, NULL);
#else
  gtk_init();
#endif
}

static inline gboolean is_asked_to_be_wrong(int count, char **arguments) {
  return count > 1 && strcmp(arguments[1], "wrong") == 0;
}

static inline gboolean end(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

// Swift does not import what GTK has as macros, and these differ between its versions.
#include <gtk/gtk.h>

static inline GtkWidget *board_show(void) {
#if GTK_MAJOR_VERSION == 3
  gtk_init(NULL, NULL);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *label = gtk_label_new("waits");
  gtk_container_add(GTK_CONTAINER(window), label);
  gtk_widget_show_all(window);
#else
  gtk_init();
  GtkWidget *window = gtk_window_new(), *label = gtk_label_new("waits");
  gtk_window_set_child(GTK_WINDOW(window), label);
  gtk_window_present(GTK_WINDOW(window));
#endif
  return label;
}

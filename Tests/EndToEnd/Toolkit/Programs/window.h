// A window with a label, of GTK 3 and 4, for programs that end with 7.
#include <gtk/gtk.h>
#include <string.h>

static GtkWidget *label;
static gboolean is_wrong;

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

/// A window, and a loop for it; with the argument `wrong`, `is_wrong`.
static inline GMainLoop *begin(int count, char **arguments) {
  is_wrong = count > 1 && strcmp(arguments[1], "wrong") == 0;
  start_gtk();
  open_window();
  return g_main_loop_new(NULL, FALSE);
}

static inline gboolean end(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

/// Has a thread work to its end, and runs the loop until that is told to end. Nobody draws while it works: what a fault
/// may do is another matter.
static inline int run_beside(GThreadFunc work, gpointer context, GMainLoop *loop) {
  g_thread_join(g_thread_new("worker", work, context));
  g_main_loop_run(loop);
  return 7;
}

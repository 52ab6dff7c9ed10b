// A window to type into, of GTK 3 and 4, for pictures of it.
#include "window.h"

#if GTK_MAJOR_VERSION == 3
#define text_of(entry) gtk_entry_get_text(GTK_ENTRY(entry))
#else
#define text_of(entry) gtk_editable_get_text(GTK_EDITABLE(entry))
#endif

static void press(GtkButton *button, gpointer entry) {
  (void)button;
  gtk_label_set_text(GTK_LABEL(label), text_of(entry));
}

int main(void) {
  start_gtk();
  open_window();
  GtkWidget *window = gtk_widget_get_parent(label), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  gtk_window_set_title(GTK_WINDOW(window), "A form");
  GtkWidget *entry = gtk_entry_new(), *button = gtk_button_new_with_label("Show");
  GtkWidget *choice = gtk_check_button_new_with_label("A choice");
  GtkWidget *widgets[] = {entry, button, choice, g_object_ref(label)};
  g_signal_connect(button, "clicked", G_CALLBACK(press), entry);
#if GTK_MAJOR_VERSION == 3
  gtk_container_remove(GTK_CONTAINER(window), label);
  for (int i = 0; i < 4; i++) gtk_box_pack_start(GTK_BOX(box), widgets[i], FALSE, FALSE, 0);
  gtk_container_add(GTK_CONTAINER(window), box);
  gtk_widget_show_all(window);
#else
  gtk_window_set_child(GTK_WINDOW(window), NULL);
  for (int i = 0; i < 4; i++) gtk_box_append(GTK_BOX(box), widgets[i]);
  gtk_window_set_child(GTK_WINDOW(window), box);
#endif
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
  return 0;
}

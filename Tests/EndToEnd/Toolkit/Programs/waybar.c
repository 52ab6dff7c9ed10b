// A reduction of Alexays/Waybar pull request 4679, of what it tells and no code of it: what reads sound emits a signal on
// its own thread, and who listens changes a label. With the argument `wrong`; else who listens hands it over.
#include "window.h"

static gboolean show(gpointer text) {
  gtk_label_set_markup(GTK_LABEL(label), text);
  return G_SOURCE_REMOVE;
}

static void on_update(GObject *reader, gpointer unused) {
  (void)reader, (void)unused;
  if (is_wrong) {
    gtk_label_set_markup(GTK_LABEL(label), "<b>loud</b>");  // here
  } else {
    g_idle_add(show, "<b>loud</b>");
  }
}

static gpointer read_sound(gpointer reader) {
  for (int i = 0; i < 15; i++) g_signal_emit_by_name(reader, "cancelled");
  return NULL;
}

int main(int count, char **arguments) {
  GMainLoop *loop = begin(count, arguments);
  // Any object with a signal that is no widget.
  GCancellable *reader = g_cancellable_new();
  g_signal_connect(reader, "cancelled", G_CALLBACK(on_update), NULL);
  g_idle_add(end, loop);
  return run_beside(read_sound, reader, loop);
}

// What a call costs that goes by: `names owner` prints nanoseconds for each call of gtk_widget_get_name on the thread
// that GTK belongs to, the median of some blocks; `names worker` those on another.

#include <gtk/gtk.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { blocks = 21, most = 200000 };

static GtkWidget *label;
static int calls = most;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static gpointer measure(gpointer unused) {
  (void)unused;
  static double times[blocks];
  for (int block = 0; block < blocks; block++) {
    double start = now();
    for (int i = 0; i < calls; i++) {
      if (!gtk_widget_get_name(label)) abort();
    }
    times[block] = (now() - start) / calls;
  }
  qsort(times, blocks, sizeof *times, compare);
  printf("%.3f\n", times[blocks / 2]);
  return NULL;
}

int main(int count, char **arguments) {
#if GTK_MAJOR_VERSION == 3
  gtk_init(NULL, NULL);
#else
  gtk_init();
#endif
  label = g_object_ref_sink(gtk_label_new("a label"));
  if (count > 1 && strcmp(arguments[1], "worker") == 0) {
    calls = 300;
    g_thread_join(g_thread_new("worker", measure, NULL));
  } else {
    measure(NULL);
  }
  return 0;
}

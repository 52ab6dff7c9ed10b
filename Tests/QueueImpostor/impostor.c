// A program whose own `dispatch_assert_queue` stands before libdispatch's: it counts the questions, or
// gives wrong answers. `queue-impostor honest|lying` prints the level, the reason and the count.

#include <stdio.h>
#include <string.h>

#include "CQueueState.h"

static bool lies;
static unsigned long asked;

static void answer(void) {
  asked += 1;
  if (lies) __builtin_trap();
}

void dispatch_assert_queue(void *queue) { (void)queue; answer(); }
void dispatch_assert_queue_not(void *queue) { (void)queue; answer(); }

int main(int count, char **arguments) {
  lies = count > 1 && strcmp(arguments[1], "lying") == 0;
  ms_queue_start();
  const char *reason = ms_queue_fallback_reason();
  for (int i = 0; i < 10; i++) ms_queue_on_main();
  printf("%s, %s, %lu\n", ms_queue_answer_level() == MS_QUEUE_EXACT ? "exact" : "chain",
         reason ? reason : "proved", asked);
  return 0;
}

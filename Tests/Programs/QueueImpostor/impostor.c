// A program whose own `dispatch_assert_queue` stands before libdispatch's: it counts the questions,
// or gives wrong answers. `queue-impostor honest|lying|forked` prints the level, the reason and the
// count; `forked` asks first in a child that forked inside a queue.

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CRecorder.h"

static bool lies;
static unsigned long asked;

static void answer(void) {
  asked += 1;
  if (lies) __builtin_trap();
}

void dispatch_assert_queue(void *queue) { (void)queue; answer(); }
void dispatch_assert_queue_not(void *queue) { (void)queue; answer(); }

extern void *dispatch_queue_create(const char *label, void *attributes);
extern void dispatch_sync_f(void *queue, void *context, void (*work)(void *));

static void print(void) {
  ms_queue_start();
  const char *reason = ms_queue_fallback_reason();
  for (int i = 0; i < 10; i++) ms_queue_on_main();
  printf("%s, %s, %lu\n", ms_queue_answer_level() == MS_QUEUE_EXACT ? "exact" : "chain",
         reason ? reason : "proved", asked);
  fflush(stdout);
}

static void fork_and_print(void *queue) {
  pid_t child = fork();
  if (child == 0) {
    print();
    _exit(ms_queue_on(queue) && ms_queue_on_main() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) puts("the child was wrong");
}

int main(int count, char **arguments) {
  lies = count > 1 && strcmp(arguments[1], "lying") == 0;
  if (count > 1 && strcmp(arguments[1], "forked") == 0) {
    void *queue = dispatch_queue_create("forked", NULL);
    dispatch_sync_f(queue, queue, fork_and_print);
  } else {
    print();
  }
  return 0;
}

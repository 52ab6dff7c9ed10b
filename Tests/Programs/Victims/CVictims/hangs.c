// What the hang watch has done, as its log tells.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CRecorder.h"
#include "CVictims.h"

/// The word that is set after the crumb of a hang, and cleared after that of its end.
int is_hang_recorded(void *log) {
  return __atomic_load_n(&ms_log_last_words(log)->hanging_since, __ATOMIC_RELAXED) != 0;
}

/// Each look of the watch leaves its time.
static void wait_for_looks(void *log, int count) {
  uint64_t *looked = &ms_log_last_words(log)->alive;
  while (count-- > 0) {
    uint64_t before = __atomic_load_n(looked, __ATOMIC_RELAXED);
    while (__atomic_load_n(looked, __ATOMIC_RELAXED) == before) usleep(1000);
  }
}

void stop_for_a_while(void *log) {
  wait_for_looks(log, 2);  // by the second, a beat is out
  pid_t victim = getpid(), child = fork();
  if (child == 0) {
    kill(victim, SIGSTOP);
    usleep(STOPPED_MILLISECONDS * 1000);
    kill(victim, SIGCONT);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  wait_for_looks(log, 2);  // the first may have begun before the stop
}

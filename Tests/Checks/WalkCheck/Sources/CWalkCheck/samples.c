#include "CWalkCheck.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "interrupted.h"

struct sigaction ms_install(int number, void (*handler)(int, siginfo_t *, void *), int flags) {
  static _Thread_local bool has_stack;
  enum { size = 1 << 18 };
  if (!has_stack) {
    stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    has_stack = sigaltstack(&stack, NULL) == 0;
  }
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | flags}, before;
  action.sa_sigaction = handler;
  sigaction(number, &action, &before);
  return before;
}

void ms_unblock(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void ms_allow_samples(void) { ms_unblock(SIGUSR2); }

bool ms_report(const char *check, ms_comparison_totals before) {
  ms_comparison_totals now = ms_comparison_totals_so_far();
  printf("%s: %lu walks, %lu frames; %lu differ above a function without unwind information, "
         "%lu unexplained\n", check, now.captures - before.captures, now.frames - before.frames,
         now.uninformed - before.uninformed, now.unexplained - before.unexplained);
  fflush(stdout);
  return now.unexplained == before.unexplained && now.captures > before.captures;
}

// One interrupted thread compares at a time; the others go on uncompared.
static atomic_flag comparing = ATOMIC_FLAG_INIT;
static uintptr_t *room;

static void compare_sample(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  if (atomic_flag_test_and_set(&comparing)) return;
  ms_compare_interrupted("a sample", context, room, ms_room_frames);
  atomic_flag_clear(&comparing);
}

static void interrupt_others(pid_t own) {
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return;
  for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
    pid_t thread = atoi(entry->d_name);
    if (thread > 0 && thread != own) syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
  }
  closedir(threads);
}

bool ms_check_samples(uint32_t seconds) {
  enum { interval = 250000 };
  room = malloc(2 * ms_room_frames * sizeof *room);
  struct sigaction before = ms_install(SIGUSR2, compare_sample, SA_RESTART);
  ms_comparison_totals totals = ms_comparison_totals_so_far();
  pid_t own = (pid_t)syscall(SYS_gettid);
  struct timespec pause = {0, interval};
  for (time_t end = time(NULL) + seconds; time(NULL) < end;) {
    interrupt_others(own);
    nanosleep(&pause, NULL);
  }
  // A signal still under way must not find the disposition that kills.
  struct timespec settling = {0, 100000000};
  nanosleep(&settling, NULL);
  bool good = ms_report("samples of all threads", totals);
  sigaction(SIGUSR2, &before, NULL);
  return good;
}

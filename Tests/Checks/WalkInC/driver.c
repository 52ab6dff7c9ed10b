// Compares our walk with libunwind's in C and C++ alone, for machines and systems that no Swift is built for, by the
// checks of `make check-walk`: `driver [SECONDS [rows]]`.

#include <CWalkCheck.h>
#include <CWalkSubjects.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRecorder.h"

static _Atomic bool stopping;

static int order(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

static void *work(void *nothing) {
  ms_allow_samples();
  while (!stopping) {
    int numbers[64];
    char text[256];
    for (int i = 0; i < 64; i++) numbers[i] = i * 37 % 64;
    qsort(numbers, 64, sizeof *numbers, order);
    snprintf(text, sizeof text, "%s %d %g %p", "text", numbers[3], 1.5, (void *)text);
    void *block = malloc(strlen(text) * 40);
    memset(block, 1, strlen(text) * 40);
    free(block);
  }
  return nothing;
}

static bool check_samples(uint32_t seconds) {
  enum { workers = 2 };
  pthread_t threads[workers];
  for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, work, NULL);
  bool is_right = ms_check_samples(seconds);
  stopping = true;
  for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);
  return is_right;
}

static bool check_subjects(void) {
  ms_comparison_totals before = ms_comparison_totals_so_far();
  uint32_t count;
  const ms_subject *subjects = ms_native_subjects(&count);
  for (uint32_t i = 0; i < count; i++) subjects[i].run();
  ms_comparison_totals now = ms_comparison_totals_so_far();
  printf("subjects: %u in C and C++, %lu walks, %lu frames, %lu had without walking; %lu differ above a function "
         "without unwind information, %lu unexplained\n",
         count, now.captures - before.captures, now.frames - before.frames, now.remembered - before.remembered,
         now.uninformed - before.uninformed, now.unexplained - before.unexplained);
  uint64_t fallen = now.fallen - before.fallen;
  if (fallen > 0) printf("in %lu of them libunwind read what it must not\n", fallen);
  return now.unexplained == before.unexplained && now.captures > before.captures && now.remembered > before.remembered;
}

static bool check_promises(void) {
  bool is_right = ms_first_frame_is_the_caller() && ms_walks_stay_within() && ms_null_call_keeps_its_caller();
  printf("promises: %s\n", is_right ? "kept" : "BROKEN");
  return is_right;
}

int main(int count, char **arguments) {
  uint32_t seconds = count > 1 ? (uint32_t)atoi(arguments[1]) : 5;
  setvbuf(stdout, NULL, _IOLBF, 0);
  // One that comes late, as under an emulator, must not find the disposition that kills.
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, SIG_IGN);
  ms_walk_start();
  printf("engine: %s\n", ms_walk_engine_reason());
  bool is_right = ms_walk_engine_in_use() == MS_WALK_RULES;
  is_right = ms_check_table(2000000) && is_right;
  is_right = check_promises() && is_right;
  is_right = check_subjects() && is_right;
  is_right = check_samples(seconds) && is_right;
  is_right = ms_check_stress(seconds) && is_right;
  is_right = ms_check_garbage(100000) && is_right;
  // Under an emulator that takes longer than all else together.
  if (count > 2 && strcmp(arguments[2], "rows") == 0) is_right = ms_check_rows() && is_right;
  printf("%s\n", is_right ? "as libunwind says" : "FAILED");
  return is_right ? 0 : 1;
}

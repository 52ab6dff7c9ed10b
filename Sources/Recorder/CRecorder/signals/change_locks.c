#include "change_locks.h"

#include <pthread.h>

static pthread_mutex_t locks[MS_CHANGED] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                            PTHREAD_MUTEX_INITIALIZER};
static ms_mask before_fork;

static void before(void) {
  ms_mask mask = ms_set_mask(~UINT64_C(0));
  for (int i = 0; i < MS_CHANGED; i++) pthread_mutex_lock(&locks[i]);
  before_fork = mask;
}

static void after(void) {
  ms_mask mask = before_fork;
  for (int i = 0; i < MS_CHANGED; i++) pthread_mutex_unlock(&locks[i]);
  ms_set_mask(mask);
}

static void watch_forks(void) { pthread_atfork(before, after, after); }

ms_mask ms_begin_change(ms_changed what) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ms_mask mask = ms_set_mask(~UINT64_C(0));
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&locks[what]);
  return mask;
}

void ms_end_change(ms_changed what, ms_mask mask) {
  pthread_mutex_unlock(&locks[what]);
  ms_set_mask(mask);
}

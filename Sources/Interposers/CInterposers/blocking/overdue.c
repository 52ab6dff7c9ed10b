#include "overdue.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../shared/own_frames.h"
#include "CRecorder.h"
#include "executors.h"

enum { stack_size = 256 << 10, slices = 4 };
static const uint64_t look_ns = 1000000000;

/// The state of each slot at the last check; only the watching thread uses the array.
static struct {
  uint64_t began;
  bool is_told;
} seen[MS_SLOTS];

/// True if the kernel reports the thread as waiting.
static bool sleeps(uint32_t thread) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%u/stat", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  const char *name_end = size > 0 ? strrchr(text, ')') : NULL;
  return name_end && name_end[1] == ' ' && (name_end[2] == 'S' || name_end[2] == 'D');
}

static void name_of(uint32_t thread, char name[32]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%u/comm", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, name, 31);
  if (file >= 0) close(file);
  name[size > 0 ? size - 1 : 0] = 0;  // without the newline
}

/// Reports the wait of a thread, which is held in its call meanwhile.
static void look_at(ms_call_slot *slot, uint64_t began, uint64_t took) {
  static uintptr_t frames[MS_FRAME_LIMIT];
  ms_walk_end end = MS_WALK_COMPLETE;
  uint32_t count = 0;
  const char *executor = NULL;
  if (!ms_call_slot_hold(slot, began)) return;
  uintptr_t frame = atomic_load(&slot->frame), caller = atomic_load(&slot->caller);
  // If the thread left the call by a long jump, this memory has other contents.
  if (ms_is_readable(frame + 8) && ((const uintptr_t *)frame)[1] == caller) {
    ms_executors_learn_task_of(slot);
    count = ms_walk_waiting(ms_waiting_in(slot), frames, MS_FRAME_LIMIT, &end);
    executor = ms_executor_needed_by(slot, atomic_load(&ms_places_asked), frames, count);
  }
  const char *call = atomic_load(&slot->call);
  uint32_t thread = atomic_load(&slot->thread);
  ms_call_slot_let_go(slot);
  uint32_t own = ms_own_frames(frames, count, caller);
  const uintptr_t *callers = frames + own;
  count -= own;
  char name[32] = "";
  if (!executor || !call || ms_blocking_is_allowed(call, callers, count)) return;
  name_of(thread, name);
  ms_blocking_tell(&(ms_blocking_finding){call, executor, took, callers, count, end, thread, name});
}

static void look_at_all(void) {
  uint64_t now = ms_ticks(), limit = slices * ms_blocking_threshold();
  if (limit < look_ns) limit = look_ns;
  uint32_t used = atomic_load(&ms_call_slots_used);
  for (uint32_t i = 0; i < used; i++) {
    ms_call_slot *slot = &ms_call_slots[i];
    uint64_t began = atomic_load(&slot->began);
    if (atomic_load(&slot->call) == NULL) continue;
    if (seen[i].began != began) {
      seen[i].began = began;
      seen[i].is_told = false;
    }
    uint64_t took = seen[i].is_told || now < began ? 0 : ms_ticks_between(began, now);
    if (took >= limit) took = ms_time_without_stops(took);
    if (took < limit || !sleeps(atomic_load(&slot->thread))) continue;
    seen[i].is_told = true;
    look_at(slot, began, took);
  }
}

static void look(void) {
  static atomic_flag is_looking = ATOMIC_FLAG_INIT;
  static uint64_t last;
  if (!ms_is_asked() || atomic_flag_test_and_set(&is_looking)) return;
  uint64_t time = ms_call_time();
  if (time - last >= look_ns * 9 / 10) {
    last = time;
    ms_executors_ask_program();
    look_at_all();
  }
  atomic_flag_clear(&is_looking);
}

// --- A separate thread, if no other thread runs the checks

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool runs;

static void *keep_looking(void *context) {
  (void)context;
  for (;;) {
    struct timespec pause = {(time_t)(look_ns / 1000000000), 0};
    ms_periodic_wait wait = ms_periodic_wait_begin(look_ns);
    nanosleep(&pause, NULL);
    ms_periodic_wait_end(wait);
    pthread_mutex_lock(&lock);
    runs = ms_is_asked() && !ms_periodic_runs();
    bool goes_on = runs;
    pthread_mutex_unlock(&lock);
    if (!goes_on) return NULL;
    look();
  }
}

static void look_alone(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  if (!runs && ms_is_asked() && !ms_periodic_runs() && ms_executors_exist()) {
    runs = ms_thread_start(&thread, stack_size, keep_looking, NULL);
    if (runs) pthread_detach(thread);
  }
  pthread_mutex_unlock(&lock);
}

void ms_overdue_begin(void) {
  ms_call_slots_start();
  ms_periodic_join(look, look_alone);
  look_alone();
}

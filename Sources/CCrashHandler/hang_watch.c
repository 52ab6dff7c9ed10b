// Notices when the main queue stops answering, and who holds it.
//
// A beat is a block on the main queue. Only once one has come through does a missing one mean
// anything: some services never run their main queue.

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CProcessWatch.h"
#include "CQueueState.h"
#include "crash.h"

struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q __attribute__((weak));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *))
    __attribute__((weak));

// What a block that is still waiting may touch lives for ever: there is only one main queue.
static _Atomic uint64_t sent, come;

struct ms_hang_watch {
  ms_log *log;
  uint64_t threshold;
  pid_t process;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool ends;
  // Of the thread alone.
  uint64_t missing;  // how long the beat has been out, not counting time the process did not run
  bool hangs;
  uint64_t ending;  // how long ago the process was asked to end
};

static const uint64_t second = 1000000000;

static void beat(void *number) { atomic_store(&come, (uint64_t)(uintptr_t)number); }

static void send_beat(void) {
  uint64_t number = atomic_fetch_add(&sent, 1) + 1;
  dispatch_async_f(&_dispatch_main_q, (void *)(uintptr_t)number, beat);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

/// The thread that runs the main queue's work, by its kernel id; 0 if none does.
static uint32_t holder_of_main_queue(void) {
  const ms_queue_layout *layout = &ms_queue_learned;
  if (!ms_queue_reads_directly()) return (uint32_t)getpid();
  return MS_QUEUE_HALF(layout->main, layout->state) & layout->owner_mask;
}

static bool is_traced(void) {
  char line[128];
  int tracer = 0;
  FILE *file = fopen("/proc/self/status", "re");
  if (file == NULL) return false;
  while (fgets(line, sizeof line, file) && sscanf(line, "TracerPid: %d", &tracer) != 1) continue;
  fclose(file);
  return tracer != 0;
}

typedef struct {
  const char *message;
  uint64_t duration;
  uint32_t holder;
  const ms_thread_sample *sample;
} hang_note;

static void leave_crumb(ms_log *log, const hang_note *note) {
  ms_log_thread *thread = ms_log_enter(log, MS_KIND_HANG);
  if (thread == NULL) return;
  uint8_t *data = ms_log_data(thread);
  bool cut = false;
  uint8_t count = 1;
  uint32_t size = ms_data_integer(data, 0, MS_KEY_MILLISECONDS, strlen(MS_KEY_MILLISECONDS),
                                  (int64_t)(note->duration / 1000000), &cut);
  if (note->holder) {
    size = ms_data_integer(data, size, MS_KEY_THREAD, strlen(MS_KEY_THREAD), note->holder, &cut);
    count++;
  }
  if (note->sample && note->sample->name[0]) {
    size = ms_data_string(data, size, MS_KEY_THREAD_NAME, strlen(MS_KEY_THREAD_NAME), note->sample->name,
                          strlen(note->sample->name), &cut);
    count++;
  }
  ms_crumb crumb = {
      .category = "main queue",
      .category_size = 10,
      .message = note->message,
      .message_size = strlen(note->message),
      .data = data,
      .data_size = size,
      .data_count = count,
      .kind = MS_KIND_HANG,
      .level = 3,
  };
  if (note->sample) {
    crumb.frames = note->sample->frames;
    crumb.frame_count = (uint16_t)note->sample->count;
    crumb.walk_end = (uint8_t)note->sample->end;
    crumb.first_is_instruction = 1;
  }
  ms_log_append(thread, &crumb);
  ms_log_leave(thread);
}

static void note_hang(ms_hang_watch *watch) {
  if (is_traced()) return;
  static ms_thread_sample sample;
  memset(&sample, 0, sizeof sample);
  uint32_t holder = holder_of_main_queue();
  bool sampled = holder && ms_thread_ask(holder, second / 10, &sample);
  hang_note note = {MS_WORD_DOES_NOT_ANSWER, watch->missing, holder, sampled ? &sample : NULL};
  leave_crumb(watch->log, &note);
  __atomic_store_n(&ms_log_last_words(watch->log)->hanging_since, ms_crash_ticks(watch->log),
                   __ATOMIC_RELAXED);
  watch->hangs = true;
  ms_leave_waits(watch->log, MS_WORD_DURING_HANG);
}

static void note_recovery(ms_hang_watch *watch) {
  hang_note note = {MS_WORD_ANSWERS_AGAIN, watch->missing, 0, NULL};
  leave_crumb(watch->log, &note);
  __atomic_store_n(&ms_log_last_words(watch->log)->hanging_since, 0, __ATOMIC_RELAXED);
  watch->hangs = false;
}

bool ms_hang_watch_is_armed(void) { return atomic_load(&come) > 0; }

/// A process that was asked to end ends soon, or waits for something: for what, is asked once.
static void look_at_ending(ms_hang_watch *watch, uint64_t passed) {
  uint64_t long_enough = 5 * second, before = watch->ending;
  if (__atomic_load_n(&ms_log_last_words(watch->log)->asked_to_end, __ATOMIC_RELAXED) == 0) return;
  watch->ending += passed;
  if (before < long_enough && watch->ending >= long_enough) {
    ms_leave_waits(watch->log, MS_WORD_DURING_SHUTDOWN);
  }
}

static void look_at_main_queue(ms_hang_watch *watch, uint64_t passed, uint64_t interval) {
  if (atomic_load(&come) == atomic_load(&sent)) {
    if (watch->hangs) {
      watch->missing += passed;
      note_recovery(watch);
    }
    watch->missing = 0;
    send_beat();
    return;
  }
  // A look that comes much too late means that the whole process was stopped.
  watch->missing += passed < 4 * interval ? passed : interval;
  if (ms_hang_watch_is_armed() && !watch->hangs && watch->missing >= watch->threshold) note_hang(watch);
}

/// Looks once: `passed` since the last look.
static void look(ms_hang_watch *watch, uint64_t passed, uint64_t interval) {
  if (!ms_log_is_recording(watch->log)) return;
  __atomic_store_n(&ms_log_last_words(watch->log)->alive, ms_crash_ticks(watch->log),
                   __ATOMIC_RELAXED);
  ms_tidy_waits();
  look_at_ending(watch, passed < 4 * interval ? passed : interval);
  if (watch->threshold > 0) look_at_main_queue(watch, passed, interval);
}

static bool wait_or_end(ms_hang_watch *watch, uint64_t nanoseconds) {
  uint64_t until = now() + nanoseconds;
  struct timespec time = {(time_t)(until / second), (long)(until % second)};
  pthread_mutex_lock(&watch->lock);
  while (!watch->ends &&
         pthread_cond_timedwait(&watch->ended, &watch->lock, &time) == 0) continue;
  bool ends = watch->ends;
  pthread_mutex_unlock(&watch->lock);
  return ends;
}

static void *keep_watch(void *context) {
  ms_hang_watch *watch = context;
  uint64_t interval = watch->threshold / 8;
  if (interval == 0 || interval > second / 4) interval = second / 4;
  uint64_t last = now();
  while (!wait_or_end(watch, interval)) {
    uint64_t time = now();
    look(watch, time - last, interval);
    last = time;
  }
  return NULL;
}

ms_hang_watch *ms_hang_watch_begin(ms_log *log, uint64_t threshold_ns) {
  if (threshold_ns > 0 && (!&_dispatch_main_q || !dispatch_async_f)) return NULL;
  ms_hang_watch *watch = calloc(1, sizeof *watch);
  if (watch == NULL) return NULL;
  watch->log = log;
  watch->process = getpid();
  watch->threshold = threshold_ns;
  if (threshold_ns > 0 && threshold_ns < second / 100) watch->threshold = second / 100;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  // By another clock, every wait would be over at once.
  bool waits = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0;
  pthread_cond_init(&watch->ended, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&watch->lock, NULL);
  if (waits && ms_thread_start(&watch->thread, 0, keep_watch, watch)) return watch;
  free(watch);
  return NULL;
}

void ms_hang_watch_end(ms_hang_watch *watch) {
  if (watch->process == getpid()) {  // a forked child has no such thread
    pthread_mutex_lock(&watch->lock);
    watch->ends = true;
    pthread_cond_signal(&watch->ended);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
  }
  pthread_cond_destroy(&watch->ended);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
}

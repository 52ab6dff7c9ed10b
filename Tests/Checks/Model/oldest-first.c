// What the model found, in C: a thread looks for the oldest chunk, one chunk after the other, while
// another thread lets both its chunks go. Of these the older must be recycled first.
//
// chunks.c is compiled in here, so that the other thread's steps can be taken between two of its loads.

#include <stdatomic.h>

#undef atomic_load_explicit
#define atomic_load_explicit(object, order) (before_load(), __c11_atomic_load(object, order))
static void before_load(void);

#include "../../../Sources/Recorder/CRecorder/log/chunks.c"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { pool = MS_POOL_ERROR, needs = 64, chunks = 3 };

static ms_log *log_of_test;
static ms_log_thread *ending;  // who lets go of its chunks when `loads` reaches 0
static int loads;

static void before_load(void) {
  if (ending == NULL || loads-- > 0) return;
  ms_log_thread *thread = ending;
  ending = NULL;
  ms_chunks_let_go(log_of_test, &thread->writers[pool][0], pool);
}

static ms_log *open_log(char *directory) {
  char path[64];
  snprintf(path, sizeof path, "%s/log", directory);
  ms_log_options options = {.path = path, .capacity = 256 * 1024};
  ms_log_failure failure;
  ms_log *log = ms_log_open(&options, &failure);
  if (log == NULL) {
    fprintf(stderr, "cannot open %s: %d\n", path, failure.result);
    exit(2);
  }
  unlink(path);
  rmdir(directory);
  return log;
}

static uint64_t generation_in(const ms_log *log, uint32_t chunk) {
  const ms_chunk_header *header = (const ms_chunk_header *)chunk_at(&log->pools[pool], chunk);
  return header->generation;
}

/// Whether the older of two chunks goes first if their thread ends before the load `at` of another's look.
static bool oldest_goes_first(int at) {
  char directory[] = "/tmp/oldest-first-XXXXXX";
  if (mkdtemp(directory) == NULL) exit(2);
  ms_log *log = log_of_test = open_log(directory);
  static ms_log_thread threads[2];
  memset(threads, 0, sizeof threads);
  threads[0].log = threads[1].log = log;
  ms_writer *one = &threads[0].writers[pool][0], *other = &threads[1].writers[pool][0];
  bool ready = log->pools[pool].chunk_count == chunks &&
               change(&threads[0], one, pool, needs) &&
               change(&threads[0], one, pool, needs) &&
               change(&threads[1], other, pool, needs);
  if (!ready) exit(2);
  uint32_t older = one->previous, newer = one->current;
  uint64_t generations[chunks];
  for (uint32_t i = 0; i < chunks; i++) generations[i] = generation_in(log, i);
  ending = &threads[0];
  loads = at;
  change(&threads[1], other, pool, needs);
  ending = NULL;
  bool older_is_there = generation_in(log, older) == generations[older];
  bool newer_is_there = generation_in(log, newer) == generations[newer];
  ms_log_close(log);
  return newer_is_there || !older_is_there;
}

int main(void) {
  int wrong = 0;
  for (int at = 0; at < 16; at++) {
    if (oldest_goes_first(at)) continue;
    printf("oldest-first: a thread ends before load %d: its newer chunk is lost, the older stays\n", at);
    wrong++;
  }
  if (wrong == 0) printf("oldest-first: the older chunk goes first, whenever its thread ends\n");
  return wrong != 0;
}

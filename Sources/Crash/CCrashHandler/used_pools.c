// Finds the pools of Swift's tasks that the process uses. Each priority has one pool, whose tasks run on the threads
// of a global queue of Dispatch. A beat to an unused pool would create threads, so the first beat is sent after
// Dispatch has created a thread for the pool.

#include <signal.h>
#include <string.h>

#include "CRecorder.h"
#include "thread_list.h"
#include "watched_executors.h"

enum { most_threads = 512, fewest_blocked = 40, priorities = 34 };

// The pause between listings, which limits their cost to half a percent of the time, however many threads exist.
static const uint64_t least_pause_ns = 500000000, pause_per_cost = 200;

/// The suffixes of the names of Dispatch's threads: a name is the last 15 bytes of the label of the global queue. On
/// Linux Dispatch has no user-interactive queue: such work runs on the user-initiated queue.
static const struct {
  uint8_t priority;
  const char *ending;
} endings[] = {{9, "background-qos"}, {17, "utility-qos"},    {21, "default-qos"},
               {25, "initiated-qos"}, {33, "initiated-qos"}, {33, "interactive-qos"}};
enum { ending_count = sizeof endings / sizeof *endings, medium = 21 };

static bool is_used[priorities];
static uint64_t next_listing;
/// The first thread in the last listing that resembled a nameless worker; 0 if no thread did.
static uint32_t seen_nameless;

static bool ends_with(const char *text, const char *ending) {
  size_t length = strlen(text), size = strlen(ending);
  return length >= size && memcmp(text + length - size, ending, size) == 0;
}

/// True if a thread resembles a worker of Swift 6.0's Dispatch, which does not name its threads. Such threads inherit
/// the name of their creator, mostly that of the process, and block nearly all signals. So does a thread that glibc
/// has just created, until it starts: therefore only a thread that resembles a worker in two listings counts.
static bool is_nameless_worker(const ms_thread_status *status, const char *process) {
  return strcmp(status->name, process) == 0 && __builtin_popcountll(status->blocked) >= fewest_blocked;
}

static void list(void) {
  static uint32_t threads[most_threads];
  uint32_t count = 0, self = ms_thread_id(), nameless = 0;
  char process[16] = "";
  ms_list_threads(threads, most_threads, &count);
  for (uint32_t i = 0; i < count; i++) {
    ms_thread_status status = ms_thread_status_of(threads[i], SIGQUIT);
    if (i == 0) memcpy(process, status.name, sizeof process);  // the main thread is the first
    for (int j = 0; j < ending_count; j++) {
      if (ends_with(status.name, endings[j].ending)) is_used[endings[j].priority] = true;
    }
    // The calling thread blocks as many signals, and may not have its own name yet.
    if (threads[i] == self || !is_nameless_worker(&status, process)) continue;
    if (threads[i] == seen_nameless) is_used[medium] = true;
    if (nameless == 0) nameless = threads[i];
  }
  seen_nameless = nameless;
}

bool ms_pool_is_used(uint8_t priority) {
  uint64_t begin = ms_now();
  if (priority >= priorities || is_used[priority] || begin < next_listing) {
    return priority < priorities && is_used[priority];
  }
  list();
  uint64_t end = ms_now();
  next_listing = end + least_pause_ns + pause_per_cost * (end - begin);
  return is_used[priority];
}

bool ms_pool_may_have(uint8_t priority, const char *thread_name) {
  if (!ends_with(thread_name, "-qos")) return true;
  for (int i = 0; i < ending_count; i++) {
    if (endings[i].priority == priority && ends_with(thread_name, endings[i].ending)) return true;
  }
  return false;
}

void ms_pools_forget(void) {
  memset(is_used, 0, sizeof is_used);
  next_listing = 0;
  seen_nameless = 0;
}

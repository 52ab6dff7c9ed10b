// Judges a call that took too long: finds the executor of its thread, and whether other work needs the thread.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../shared/allow_list.h"
#include "../shared/own_frames.h"
#include "CRecorder.h"
#include "executors.h"
#include "overdue.h"

_Atomic uint64_t ms_blocking_ticks = UINT64_MAX;
_Atomic uint32_t ms_places_asked;

// The current request. `ms_blocking_ticks` is written after these fields.
static struct {
  _Atomic uint64_t threshold;
  _Atomic uint32_t policies;
  _Atomic(ms_log *) log;
  _Atomic(void (*)(ms_log *, const ms_blocking_finding *)) note;
} asked;

// --- Allowed calls

static ms_allow_list allowed_calls, allowed_libraries;

bool ms_blocking_allow_call(const char *call) { return ms_allow_list_add(&allowed_calls, call); }
bool ms_blocking_allow_library(const char *name) { return ms_allow_list_add(&allowed_libraries, name); }

/// True if a call belongs to Swift's backtracer, which runs while a process dies: the signal handlers of the crashed
/// and the suspended threads wait for the backtracer, and its helper process shares the memory and the thread-local
/// variables of this process.
static bool is_of_backtracer(const char *call, const uintptr_t *frames, uint32_t count) {
  static const char *const calls[] = {"read", "write", "waitpid", "futex"};
  bool may_be = false;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) may_be |= strcmp(call, calls[i]) == 0;
  uintptr_t offset;
  const char *name = may_be && count ? ms_module_file_at(frames[0] - 1, &offset) : NULL;
  return name && strcmp(name, "libswiftCore.so") == 0;
}

/// True if a caller is code of an allowed library.
static bool is_of_allowed_library(const uintptr_t *frames, uint32_t count) {
  if (atomic_load(&allowed_libraries.count) == 0) return false;
  for (uint32_t i = 0; i < count && !(frames[i] & MS_ASYNC_CALLER); i++) {
    uintptr_t offset;
    const char *file = ms_module_file_at(frames[i] - 1, &offset);
    if (file && ms_allow_list_has_file(&allowed_libraries, file)) return true;
  }
  return false;
}

__thread uint32_t ms_allowed_here __attribute__((tls_model("initial-exec")));
bool ms_blocking_is_allowed(const char *call, const uintptr_t *frames, uint32_t count) {
  return ms_allow_list_has(&allowed_calls, call) || is_of_backtracer(call, frames, count) ||
         is_of_allowed_library(frames, count);
}

static __thread bool tells __attribute__((tls_model("initial-exec")));

void ms_blocking_allow(void) { ms_allowed_here++; }
void ms_blocking_forbid(void) { ms_allowed_here--; }

// --- Limits

enum { most_in_a_second = 20, kept = 64 };

/// True if this second allows another report.
static bool has_room(void) {
  static _Atomic uint64_t second_and_count;
  uint64_t second = ms_call_time() / 1000000000, before = atomic_load(&second_and_count), after;
  do {
    after = before >> 16 == second ? before + 1 : second << 16 | 1;
    if ((after & 0xffff) > most_in_a_second) return false;
  } while (!atomic_compare_exchange_weak(&second_and_count, &before, after));
  return true;
}

/// The newest findings, by number modulo `kept`.
static struct {
  _Atomic uint64_t written;  // the finding's number + 1; 0 during a write
  ms_blocking_kept finding;
} ring[kept];
static _Atomic uint64_t findings;

static void keep(const ms_blocking_finding *finding) {
  uint64_t number = atomic_fetch_add(&findings, 1);
  ms_blocking_kept *place = &ring[number % kept].finding;
  atomic_store(&ring[number % kept].written, 0);
  place->call = finding->call;
  place->executor = finding->executor;
  place->nanoseconds = finding->nanoseconds;
  place->frame_count =
      finding->frame_count < MS_BLOCKING_KEPT_FRAMES ? finding->frame_count : MS_BLOCKING_KEPT_FRAMES;
  memcpy(place->frames, finding->frames, place->frame_count * sizeof *place->frames);
  atomic_store(&ring[number % kept].written, number + 1);
}

uint64_t ms_blocking_count(void) { return atomic_load(&findings); }

bool ms_blocking_copy(uint64_t number, ms_blocking_kept *finding) {
  if (atomic_load(&ring[number % kept].written) != number + 1) return false;
  *finding = ring[number % kept].finding;
  return atomic_load(&ring[number % kept].written) == number + 1;
}

// --- Reports

static void write_line(const ms_blocking_finding *finding) {
  char line[512];
  uintptr_t offset = 0;
  const char *library = finding->frame_count ? ms_module_file_at(finding->frames[0] - 1, &offset) : NULL;
  int size = snprintf(line, sizeof line, "mainstay: %s %s a thread of the %s for %llu ms%s, called at %s+%#lx\n",
                      finding->call, finding->thread ? "has blocked" : "blocked", finding->executor,
                      (unsigned long long)finding->nanoseconds / 1000000, finding->thread ? " and continues" : "",
                      !library ? "?" : *library ? library : "the program", (unsigned long)offset);
  if (size > (int)sizeof line - 1) size = (int)sizeof line - 1;
  for (ssize_t done = 0, wrote; done < size; done += wrote) {
    wrote = write(STDERR_FILENO, line + done, (size_t)(size - done));
    if (wrote <= 0) return;
  }
}

static void tell(const ms_blocking_finding *finding) {
  uint32_t policies = atomic_load(&asked.policies);
  ms_log *log = atomic_load(&asked.log);
  void (*note)(ms_log *, const ms_blocking_finding *) = atomic_load(&asked.note);
  if (policies & MS_BLOCKING_RECORDS && log && note) note(log, finding);
  if (policies & (MS_BLOCKING_LOGS | MS_BLOCKING_TRAPS)) write_line(finding);
  if (policies & MS_BLOCKING_TRAPS && !finding->thread) __builtin_trap();
}

void ms_blocking_tell(const ms_blocking_finding *finding) {
  if (has_room()) tell(finding);
}

static void judge(const char *call, const char *executor, uint64_t nanoseconds, const void *caller) {
  uintptr_t walked[MS_FRAME_LIMIT];
  ms_walk_end end = MS_WALK_COMPLETE;
  ms_executors_learn_task();
  uint32_t count = ms_walk_here(walked, MS_FRAME_LIMIT, 0, &end);
  uint32_t own = ms_own_frames(walked, count, (uintptr_t)caller);
  const uintptr_t *frames = walked + own;
  count -= own;
  if (is_of_backtracer(call, frames, count) || is_of_allowed_library(frames, count)) return;
  ms_blocking_finding finding = {call, executor, nanoseconds, frames, count, end, 0, ""};
  keep(&finding);
  ms_blocking_tell(&finding);
}

uint64_t ms_blocking_threshold(void) { return atomic_load(&asked.threshold); }

/// Recomputes the threshold, because the clock may have changed.
static void set_ticks(void) {
  if (ms_is_asked()) atomic_store(&ms_blocking_ticks, ms_ticks_in(ms_blocking_threshold()));
}

uint64_t ms_time_without_stops(uint64_t nanoseconds) {
  uint64_t stopped = ms_periodic_stopped(ms_call_time() - nanoseconds);
  return stopped < nanoseconds ? nanoseconds - stopped : 0;
}

void ms_call_took(const char *call, ms_call_kind kind, uint64_t begin, uint64_t end, unsigned slices,
                  const void *caller) {
  if (tells || ms_allowed_here) return;
  int before = errno;
  tells = true;  // calls from here on are not the program's
  const char *executor = ms_executor_needed_here(kind, atomic_load_explicit(&ms_places_asked, memory_order_relaxed));
  if (executor && !ms_allow_list_has(&allowed_calls, call)) {
    uint64_t took = ms_ticks_between(begin, end);
    if (took == 0) set_ticks();
    if (took / slices >= ms_blocking_threshold()) took = ms_time_without_stops(took);
    if (took / slices >= ms_blocking_threshold()) judge(call, executor, took, caller);
  }
  tells = false;
  errno = before;
}

// --- The request

void ms_judge_begins(const ms_blocking_request *request) {
  atomic_store(&ms_blocking_ticks, UINT64_MAX);
  atomic_store(&asked.log, request->log);
  atomic_store(&asked.note, request->note);
  atomic_store(&asked.policies, request->policies);
  atomic_store(&ms_places_asked, request->places);
  atomic_store(&asked.threshold, request->threshold_ns);
  atomic_store(&ms_blocking_ticks, ms_ticks_in(request->threshold_ns));
}

void ms_blocking_end(void) {
  atomic_store(&ms_blocking_ticks, UINT64_MAX);
  atomic_store(&asked.log, NULL);
}

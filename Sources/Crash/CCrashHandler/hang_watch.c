// Detects executors that stop answering, and finds the threads that hold these executors.
//
// An idle process is hardly disturbed: if only this thread and beats have run since the last check, beats are sent
// only every two seconds. Beats never stop, because a thread that wakes and blocks at once uses less processor time
// than a beat, and would not be noticed.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CRecorder.h"
#include "watched_executors.h"

static const uint64_t second = 1000000000;

static const uint64_t between_rare_beats_ns = 2000000000;

enum {
  full_crumbs = 4,           // limit of an executor's recorded hangs per minute; beyond it, only longer hangs count
  late_ns = 50000000,        // latency from which a beat counts as late
  beat_costs_ns = 60000,     // limit of a beat's processor time, including the threads that it wakes
  rest_costs_ns = 100000,     // limit of a check's processor time at rest: Dispatch maintains its threads once a second
};

/// The state of a slot that the watch thread keeps between checks.
typedef struct {
  uint64_t generation;
  ms_watched_kind kind;
  char name[MS_WATCHED_NAME];
  uint64_t sent_at;
  uint64_t before;   // number of the last beat of the slot's previous executor
  uint64_t seen;     // number of the last beat that was counted
  uint64_t missing;  // age of the pending beat, without the time in which the process was stopped
  bool is_suspect;
  bool hangs;
  bool is_starved;
  bool is_open;             // starved, or without a known holder: holders are searched again
  uint64_t looks_again_at;  // value of `missing` at which holders are searched again
  ms_thread_mark mark;      // mark of the thread that held the executor at half of the threshold
  uint64_t hanging_since;  // start of the hang, in ticks
  uint32_t minute_hangs, left_out;
  uint64_t worst;  // longest hang of this minute
  ms_latency latency;
} slot_memory;

struct ms_hang_watch {
  ms_log *log;
  uint64_t shortest;  // shortest threshold of all executors
  uint64_t loop_threshold;
  pid_t process;
  pthread_t thread;
  _Atomic bool ends;
  // Accessed by the watch thread alone.
  uint32_t calls_seen;
  bool lists_soon;  // waiting tasks are listed again soon
  slot_memory slots[MS_WATCHED_MOST];
  uint64_t ending;       // time since the process was asked to end
  uint64_t ending_next;  // value of `ending` at which threads and tasks are listed next
  uint64_t requests_age, requests_pause;  // time since the last list for a request, and until the next one
  uint64_t noted_at;     // time of the snapshot of all threads for the next list
  uint32_t noted_asks;   // number of samples at that time
  uint64_t minute;
  uint64_t loops_age;   // time since the last check of the event loops
  uint32_t loop_hangs;  // recorded hangs of all loops in this minute
  uint64_t process_time, own_time;
  uint64_t stopped;      // total time for which the process has been stopped since the watch began
  uint32_t beats;        // number of beats sent at the last check
  uint64_t beats_age;    // time since beats were sent
  uint64_t beats_spend;  // processor time that may still be used by beats
  bool was_active;
  bool waits_for_beats;
};

static _Atomic uint64_t beats_sent;

/// The time of a clock that stands still while the process is stopped.
static uint64_t running_time(const ms_hang_watch *watch) { return ms_now() - watch->stopped; }

static uint64_t time_by(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
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

// --- Hangs

static _Atomic(ms_hang_told) told_of_hangs;

void ms_hang_tell(ms_hang_told told) { atomic_store(&told_of_hangs, told); }

static void tell_of_hang(const ms_watched_facts *facts, uint64_t lasted, bool has_ended) {
  ms_hang_told told = atomic_load(&told_of_hangs);
  if (told) told(ms_watched_word(facts->kind), facts->name, lasted, has_ended);
}

static _Atomic(ms_answer_told) told_of_answers;

void ms_answers_tell(ms_answer_told told) { atomic_store(&told_of_answers, told); }

static void tell_of_answer(const ms_watched_facts *facts, uint64_t took) {
  ms_answer_told told = atomic_load(&told_of_answers);
  if (told) told(ms_watched_word(facts->kind), facts->name, took);
}

/// Writes the start of the oldest current hang into the log's header. An executor that lacks only a processor does
/// not hang.
static void tell_header(const ms_hang_watch *watch) {
  uint64_t since = 0, kind = 0;
  for (uint32_t i = 0; i < MS_WATCHED_MOST; i++) {
    const slot_memory *slot = &watch->slots[i];
    if (!slot->hangs || slot->is_starved || (since && slot->hanging_since >= since)) continue;
    since = slot->hanging_since;
    kind = slot->kind;
  }
  uint64_t loop_since = ms_loops_hang_since();
  if (loop_since && (since == 0 || loop_since < since)) {
    since = loop_since;
    kind = MS_WATCHED_LOOP;
  }
  ms_last_words *words = ms_log_last_words(watch->log);
  __atomic_store_n(&words->hanging, kind, __ATOMIC_RELAXED);
  __atomic_store_n(&words->hanging_since, since, __ATOMIC_RELAXED);
}

static bool is_held(const ms_hang *hang) { return hang->count > 0 && hang->doing != MS_DOES_STARVED; }

/// The age at which holders are searched again: twice the current age, or a few seconds later.
static uint64_t next_look(uint64_t missing) {
  uint64_t most = 5 * second;
  return missing + (missing < most ? missing : most);
}

static void find_holders(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts, ms_hang *hang) {
  ms_find_holders(index, facts, running_time(watch), &watch->slots[index].mark, hang);
  ms_loops_were_asked();
}

static void note_hang(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts) {
  static ms_hang hang;
  slot_memory *slot = &watch->slots[index];
  if (is_traced()) return;
  memset(&hang, 0, sizeof hang);
  hang.duration = slot->missing;
  hang.left_out = slot->left_out;
  // Sampling interrupts a sleep, so that the executor may continue. The hang is recorded nevertheless.
  find_holders(watch, index, facts, &hang);
  ms_leave_hang(watch->log, facts, &hang);
  slot->hangs = true;
  slot->is_starved = hang.doing == MS_DOES_STARVED;
  slot->is_open = !is_held(&hang);
  slot->looks_again_at = next_look(slot->missing);
  slot->hanging_since = ms_log_now(watch->log);
  slot->minute_hangs++;
  slot->left_out = 0;
  tell_header(watch);
  ms_leave_waits_of_hang(watch->log);
  if (!slot->is_starved) tell_of_hang(facts, slot->missing, false);
}

/// Searches holders again: an executor that lacked a processor may be blocked by now, and an unknown holder may be
/// found.
static void look_again(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts) {
  static ms_hang hang;
  slot_memory *slot = &watch->slots[index];
  if (!slot->is_open || slot->missing < slot->looks_again_at || is_traced()) return;
  memset(&hang, 0, sizeof hang);
  hang.duration = slot->missing;
  find_holders(watch, index, facts, &hang);
  ms_thread_times_note(running_time(watch));
  slot->looks_again_at = next_look(slot->missing);
  if (!is_held(&hang)) return;
  ms_leave_hang(watch->log, facts, &hang);
  bool was_told = !slot->is_starved;
  slot->is_open = slot->is_starved = false;
  if (was_told) return;
  tell_header(watch);
  tell_of_hang(facts, slot->missing, false);
}

static void note_end(ms_hang_watch *watch, slot_memory *slot, const ms_watched_facts *facts,
                     const char *message) {
  ms_leave_hang_end(watch->log, facts, message, slot->missing);
  slot->hangs = false;
  if (slot->missing > slot->worst) slot->worst = slot->missing;
  tell_header(watch);
  if (!slot->is_starved) tell_of_hang(facts, slot->missing, true);
}

/// The age at which a beat is reported. After many hangs in a minute, twice the longest of these hangs.
static uint64_t limit(const slot_memory *slot, const ms_watched_facts *facts) {
  bool is_flood = slot->minute_hangs >= full_crumbs && slot->worst > facts->threshold;
  return is_flood ? 2 * slot->worst : facts->threshold;
}

bool ms_hang_watch_is_armed(void) { return atomic_load(&ms_beats_of[0].come) > 0; }

uint64_t ms_hang_watch_beats(void) { return atomic_load(&beats_sent); }

// --- Checks

/// True if a snapshot of all threads is old enough to distinguish a standing thread from a thread that sleeps often.
/// Takes a snapshot if the last one is too old, or if a thread was sampled since: a sample ends a sleep.
static bool are_threads_noted(ms_hang_watch *watch, uint64_t time) {
  uint64_t noted = ms_thread_times_noted();
  uint32_t asks = ms_thread_asks();
  bool is_valid = noted == watch->noted_at && asks == watch->noted_asks && time - noted <= 3 * second;
  if (is_valid) return time - noted >= second / 2;
  ms_thread_times_note(time);
  watch->noted_at = time;
  watch->noted_asks = asks;
  return false;
}

static void list_all(ms_hang_watch *watch, const char *during, uint64_t time) {
  if (!is_traced()) ms_leave_standing_threads(watch->log, during, time);
  ms_loops_were_asked();
  ms_leave_waits(watch->log, during);
}

/// Returns true if a signal asked the process to end, or if its services are shutting down.
static bool is_asked_to_end(ms_hang_watch *watch) {
  return __atomic_load_n(&ms_log_last_words(watch->log)->asked_to_end, __ATOMIC_RELAXED) != 0 ||
         ms_services_are_ending();
}

/// Lists the standing threads and the waiting tasks, if the process has not ended some seconds after a request to end,
/// and again each time that twice as long has passed.
static void look_at_ending(ms_hang_watch *watch, uint64_t passed) {
  uint64_t time = running_time(watch);
  if (!is_asked_to_end(watch)) {
    watch->ending = watch->ending_next = 0;
    return;
  }
  if (watch->ending_next == 0) watch->ending_next = 5 * second;
  watch->ending += passed;
  if (watch->ending + second < watch->ending_next) return;
  if (!are_threads_noted(watch, time) || watch->ending < watch->ending_next) return;
  watch->ending_next = 2 * watch->ending;
  list_all(watch, MS_WORD_DURING_SHUTDOWN, time);
}

static _Atomic uint64_t request_limit;

void ms_requests_set_limit(uint64_t limit_ns) { atomic_store(&request_limit, limit_ns); }

/// Lists the standing threads and the waiting tasks, if a request has been in flight for longer than the limit. The
/// pause between two lists doubles, because some services answer their requests slowly by design.
static void look_at_requests(ms_hang_watch *watch, uint64_t passed) {
  const uint64_t longest_pause = 600 * second;
  uint64_t limit = atomic_load(&request_limit), time = running_time(watch);
  watch->requests_age += passed;
  bool is_due = limit && ms_requests_oldest(passed) >= limit && watch->requests_age >= watch->requests_pause;
  if (!is_due || !are_threads_noted(watch, time)) return;
  watch->requests_age = 0;
  watch->requests_pause = watch->requests_pause ? 2 * watch->requests_pause : limit;
  if (watch->requests_pause > longest_pause) watch->requests_pause = longest_pause;
  list_all(watch, MS_WORD_REQUEST, time);
}

/// The part of `time` that beats have used. The cost of a beat is counted once, at this check or a later check.
static uint64_t spent_by_beats(ms_hang_watch *watch, uint64_t time) {
  uint64_t may_cost = watch->beats * (uint64_t)beat_costs_ns;
  if (watch->beats_spend < may_cost) watch->beats_spend = may_cost;
  uint64_t spent = time < watch->beats_spend ? time : watch->beats_spend;
  watch->beats_spend -= spent;
  return spent;
}

/// True if threads of the process have run since the last check or the check before: a thread that ran only briefly
/// may have done so while beats ran.
static bool is_active(ms_hang_watch *watch) {
  uint64_t process = time_by(CLOCK_PROCESS_CPUTIME_ID), own = time_by(CLOCK_THREAD_CPUTIME_ID);
  uint64_t used = process - watch->process_time, mine = own - watch->own_time;
  watch->process_time = process;
  watch->own_time = own;
  uint64_t others = used > mine + rest_costs_ns ? used - mine - rest_costs_ns : 0;
  bool has_run = others > spent_by_beats(watch, others);
  bool active = has_run || watch->was_active;
  watch->was_active = has_run;
  return active;
}

/// True if beats are due: at each check while the process is active, otherwise every two seconds.
static bool are_beats_due(ms_hang_watch *watch, uint64_t passed) {
  watch->beats_age += passed;
  if (!is_active(watch) && watch->beats_age < between_rare_beats_ns) return false;
  watch->beats_age = 0;
  return true;
}

static void send(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts) {
  watch->slots[index].missing = 0;
  watch->slots[index].sent_at = ms_now();
  watch->beats++;
  atomic_fetch_add(&beats_sent, 1);
  ms_watched_send(index, facts);
}

/// Some services never run their main queue, and a loop may not have started yet. Therefore an executor can hang only
/// after its first answer. A pool gets no beat before its first task, so it needs no first answer.
static bool has_answered(const slot_memory *slot, const ms_watched_facts *facts, uint64_t come) {
  return come > slot->before || facts->kind == MS_WATCHED_POOL;
}

/// Handles an executor whose beat has arrived, or which had no pending beat.
static void look_at_answer(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts,
                           uint64_t passed, bool was_stopped) {
  slot_memory *slot = &watch->slots[index];
  const ms_beats *beats = &ms_beats_of[index];
  uint64_t come = atomic_load(&beats->come), come_at = atomic_load(&beats->come_at);
  if (slot->hangs) {
    slot->missing += passed;
    note_end(watch, slot, facts, MS_WORD_ANSWERS_AGAIN);
  } else if (slot->missing >= facts->threshold && has_answered(slot, facts, slot->seen)) {
    slot->left_out++;
  }
  if (come != slot->seen && come_at >= slot->sent_at && !was_stopped) {
    ms_latency_add(&slot->latency, come_at - slot->sent_at);
    tell_of_answer(facts, come_at - slot->sent_at);
  }
  slot->seen = come;
  slot->missing = 0;
  slot->is_suspect = false;
}

static bool is_there(const ms_watched_facts *facts) {
  return facts->kind != MS_WATCHED_POOL || ms_pool_is_used(facts->priority);
}

/// Starts to observe the activity of threads when half of the threshold has passed.
static void suspect(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts) {
  slot_memory *slot = &watch->slots[index];
  if (slot->is_suspect || slot->missing < facts->threshold / 2) return;
  slot->is_suspect = true;
  uint64_t time = running_time(watch);
  if (time - ms_thread_times_noted() > facts->threshold / 8) ms_thread_times_note(time);
  slot->mark = (ms_thread_mark){0};
  ms_mark_holder(index, facts, &slot->mark);
}

static void look_at(ms_hang_watch *watch, uint32_t index, const ms_watched_facts *facts,
                    uint64_t passed, bool was_stopped, bool sends) {
  slot_memory *slot = &watch->slots[index];
  ms_beats *beats = &ms_beats_of[index];
  bool is_new = slot->generation != facts->generation;
  if (is_new) {
    memset(slot, 0, sizeof *slot);
    slot->generation = facts->generation;
    slot->kind = facts->kind;
    memcpy(slot->name, facts->name, sizeof slot->name);
    slot->before = atomic_load(&beats->sent);
    slot->seen = atomic_load(&beats->come);
  }
  if (!is_new && atomic_load(&beats->come) != atomic_load(&beats->sent)) {
    slot->missing += passed;
    bool counts = has_answered(slot, facts, atomic_load(&beats->come));
    watch->waits_for_beats |= counts;
    if (slot->hangs) look_again(watch, index, facts);
    if (!counts || slot->hangs) return;
    suspect(watch, index, facts);
    if (slot->missing >= limit(slot, facts)) note_hang(watch, index, facts);
    return;
  }
  // An executor that was late may hang again before the process has used enough processor time to count as active.
  bool was_late = slot->missing > 0;
  look_at_answer(watch, index, facts, passed, was_stopped);
  if ((sends || is_new || was_late) && is_there(facts)) send(watch, index, facts);
}

static void look_at_gone(ms_hang_watch *watch, uint32_t index) {
  slot_memory *slot = &watch->slots[index];
  if (slot->hangs) {
    ms_watched_facts facts = {.kind = slot->kind};
    memcpy(facts.name, slot->name, sizeof facts.name);
    note_end(watch, slot, &facts, MS_WORD_WATCHED_NO_MORE);
  }
  slot->generation = 0;
}

// --- Event loops without a watch of their own

static ms_watched_facts facts_of(const ms_hang_watch *watch, const ms_loop_facts *loop) {
  ms_watched_facts facts = {.kind = MS_WATCHED_LOOP, .threshold = watch->loop_threshold};
  snprintf(facts.name, sizeof facts.name, "%s", loop->name);
  return facts;
}

static void note_loop_end(ms_hang_watch *watch, const ms_loop_facts *loop, const char *message) {
  ms_watched_facts facts = facts_of(watch, loop);
  ms_leave_hang_end(watch->log, &facts, message, loop->blocked);
  tell_header(watch);
  tell_of_hang(&facts, loop->blocked, true);
}

/// Records a hang of a loop. At most `full_crumbs` hangs of loops are recorded per minute, and no hang while a
/// debugger is attached. A hang that is skipped is recorded later if it lasts, and its end only if its start was.
static void note_loop_hang(ms_hang_watch *watch, uint32_t index, const ms_loop_facts *loop) {
  static ms_hang hang;
  if (watch->loop_hangs >= full_crumbs || is_traced()) return;
  watch->loop_hangs++;
  ms_watched_facts facts = facts_of(watch, loop);
  memset(&hang, 0, sizeof hang);
  hang.duration = loop->blocked;
  ms_find_blocked(loop->thread, running_time(watch), &hang);
  ms_loops_were_asked();
  ms_leave_hang(watch->log, &facts, &hang);
  ms_loop_hangs(index, ms_log_now(watch->log));
  tell_header(watch);
  ms_leave_waits_of_hang(watch->log);
  tell_of_hang(&facts, loop->blocked, false);
}

static void forget_loops(ms_hang_watch *watch) {
  ms_loop_facts loop;
  while (ms_loops_end_hang(&loop)) note_loop_end(watch, &loop, MS_WORD_WATCHED_NO_MORE);
  ms_loops_forget();
}

/// Starts to observe the activity of threads, to classify the owner of a lock for which a loop waits.
static void suspect_loops(ms_hang_watch *watch) {
  uint64_t time = running_time(watch), half = watch->loop_threshold / 2;
  if (ms_loops_blocked() >= half && time - ms_thread_times_noted() > half) ms_thread_times_note(time);
}

static void look_at_loops(ms_hang_watch *watch, uint64_t passed, bool is_due) {
  watch->loops_age += passed;
  if (watch->loop_threshold == 0 || !(is_due || ms_loops_blocked())) return;
  uint64_t age = watch->loops_age;
  watch->loops_age = 0;
  // The host's own watches of event loops replace these checks.
  if (ms_watched_have(MS_WATCHED_LOOP)) {
    forget_loops(watch);
    return;
  }
  uint32_t count = ms_loops_count(age, watch->was_active);
  for (uint32_t i = 0; i < count; i++) {
    ms_loop_facts loop;
    ms_loop_change change = ms_loop_look(i, age, watch->loop_threshold, &loop);
    if (change == MS_LOOP_BLOCKS) note_loop_hang(watch, i, &loop);
    if (change == MS_LOOP_ANSWERS) note_loop_end(watch, &loop, MS_WORD_ANSWERS_AGAIN);
    if (change == MS_LOOP_GONE) note_loop_end(watch, &loop, MS_WORD_WATCHED_NO_MORE);
  }
  suspect_loops(watch);
  if (count && watch->loop_threshold < watch->shortest) watch->shortest = watch->loop_threshold;
  watch->waits_for_beats |= ms_loops_blocked() > 0;
}

/// Records the latencies of each executor and resets the limits of recorded hangs, once a minute.
static void look_at_minute(ms_hang_watch *watch, uint64_t passed) {
  watch->minute += passed;
  if (watch->minute < 60 * second) return;
  watch->minute = 0;
  watch->loop_hangs = 0;
  for (uint32_t i = 0; i < MS_WATCHED_MOST; i++) {
    slot_memory *slot = &watch->slots[i];
    ms_watched_facts facts;
    if (slot->latency.beats && ms_watched_look(i, &facts)) {
      ms_leave_latency(watch->log, &facts, &slot->latency, slot->latency.slowest >= late_ns);
      ms_watched_looked(&facts);
    }
    memset(&slot->latency, 0, sizeof slot->latency);
    slot->minute_hangs = 0;
    slot->worst = 0;
  }
}

/// Runs one check. `passed` is the time since the last check, without the time in which the process was stopped.
static void look(ms_hang_watch *watch, uint64_t passed, bool was_stopped) {
  if (!ms_log_is_recording(watch->log)) return;
  __atomic_store_n(&ms_log_last_words(watch->log)->alive, ms_log_now(watch->log),
                   __ATOMIC_RELAXED);
  watch->lists_soon = ms_leave_waits_of_losses(watch->log);
  look_at_ending(watch, passed);
  look_at_requests(watch, passed);
  bool sends = are_beats_due(watch, passed);
  watch->beats = 0;
  watch->waits_for_beats = false;
  watch->shortest = UINT64_MAX;
  for (uint32_t i = 0; i < MS_WATCHED_MOST; i++) {
    ms_watched_facts facts;
    if (ms_watched_look(i, &facts)) {
      if (watch->slots[i].hangs && watch->slots[i].generation != facts.generation) look_at_gone(watch, i);
      if (facts.threshold < watch->shortest) watch->shortest = facts.threshold;
      look_at(watch, i, &facts, passed, was_stopped, sends);
      ms_watched_looked(&facts);
    } else {
      look_at_gone(watch, i);
    }
  }
  look_at_loops(watch, passed, sends);
  look_at_minute(watch, passed);
}

/// The time between checks: an eighth of the shortest threshold, or half of that threshold while the process is idle.
/// Thresholds above two seconds count as two seconds.
static uint64_t interval_of(const ms_hang_watch *watch) {
  bool rests = !watch->was_active && !watch->waits_for_beats;
  uint64_t shortest = watch->shortest < 2 * second ? watch->shortest : 2 * second;
  return shortest / (rests ? 2 : 8);
}

/// The part of a wait for `interval` that counts; 0 if the process was stopped. If the wait took four times as long,
/// neither this thread nor the watched threads had a processor, and only `interval` counts.
static uint64_t time_that_counts(uint64_t waited, uint64_t interval, bool was_interrupted) {
  if (was_interrupted && waited > interval + interval / 4) return 0;
  return waited < 4 * interval ? waited : interval;
}

static void *keep_watch(void *context) {
  enum { list_interval = 10000000 };
  ms_hang_watch *watch = context;
  uint64_t interval = 1000000;
  uint64_t last = ms_now();
  ms_periodic_begin();
  for (;;) {
    ms_periodic_wait wait = ms_periodic_wait_begin(interval);
    ms_watch_wait(interval, &watch->calls_seen);
    uint64_t time = ms_now(), waited = time - wait.began;
    uint64_t stopped = waited - time_that_counts(waited, interval, ms_periodic_wait_end(wait));
    if (atomic_load(&watch->ends)) break;
    watch->stopped += stopped;
    look(watch, time - last - stopped, stopped > 0);
    ms_periodic_run();
    last = time;
    interval = watch->lists_soon ? list_interval : interval_of(watch);
  }
  ms_periodic_end();
  return NULL;
}

static uint64_t threshold_of(uint64_t wish) {
  return wish > 0 && wish < second / 100 ? second / 100 : wish;
}

ms_hang_watch *ms_hang_watch_begin(ms_log *log, uint64_t main_threshold_ns,
                                   uint64_t pool_threshold_ns, uint64_t loop_threshold_ns,
                                   ms_pool_ask ask_pool) {
  ms_hang_watch *watch = calloc(1, sizeof *watch);
  if (watch == NULL) return NULL;
  watch->log = log;
  watch->loop_threshold = threshold_of(loop_threshold_ns);
  ms_loops_forget();
  ms_lock_owner_learn();
  ms_log_note_facts(log);
  watch->process = getpid();
  ms_watched_always(threshold_of(main_threshold_ns), threshold_of(pool_threshold_ns), ask_pool);
  if (ms_thread_start(&watch->thread, 0, keep_watch, watch)) return watch;
  free(watch);
  return NULL;
}

void ms_hang_watch_end(ms_hang_watch *watch) {
  if (watch->process == getpid()) {  // a forked child does not have the thread
    atomic_store(&watch->ends, true);
    ms_watch_call();
    pthread_join(watch->thread, NULL);
  }
  free(watch);
}

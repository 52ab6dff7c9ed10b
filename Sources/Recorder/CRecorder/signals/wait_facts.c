// Reads the event that a task waits for from the runtime's own record.
//
// The layout of this record is private to the runtime. The offsets are learned from tasks whose wait is known, one
// for each kind of event, and then checked with further tasks.

#include <stddef.h>
#include <string.h>

#include "ms_address.h"
#include "wait_layout.h"

enum {
  word_size = sizeof(uintptr_t),
  first_word = 2,  // after the header of every object
  end_word = 48,
  record_words = 8,
};

ms_waiting_layout ms_waiting_learned;
uintptr_t ms_waiting_last_local;
static bool is_learned;

typedef struct {
  uintptr_t words[record_words];
  bool is_there;
} record_copy;

static record_copy samples[MS_WAIT_KINDS];

// Not sanitizer-instrumented: a candidate may be any readable memory.
__attribute__((no_sanitize("address", "thread"))) static uintptr_t word_at(uintptr_t address) {
  return *(const uintptr_t *)address;
}

static bool read_word(uintptr_t address, uintptr_t *word) {
  if (address % word_size != 0 || address < 4096 || !ms_is_readable(address)) return false;
  *word = word_at(address);
  return true;
}

static bool read_record(uintptr_t record, record_copy *copy) {
  copy->is_there = true;
  for (uint32_t i = 0; copy->is_there && i < record_words; i++) {
    copy->is_there = read_word(record + i * word_size, &copy->words[i]);
  }
  return copy->is_there;
}

static uint32_t half_of(const record_copy *copy, uint32_t offset) {
  uint32_t half;
  memcpy(&half, (const uint8_t *)copy->words + offset, sizeof half);
  return half;
}

bool ms_waiting_is_learned(void) { return is_learned; }

static bool kind_of(const record_copy *copy, ms_wait_kind *kind) {
  const ms_waiting_layout *layout = &ms_waiting_learned;
  for (uint32_t i = 0; i < MS_WAIT_KINDS; i++) {
    *kind = (ms_wait_kind)i;
    if (half_of(copy, layout->kind) == layout->kinds[i]) return true;
  }
  return false;
}

static bool read_facts(uintptr_t task, ms_wait_facts *facts) {
  const ms_waiting_layout *layout = &ms_waiting_learned;
  uintptr_t record, context, resume, callers_resume;
  record_copy copy;
  if (!read_word(task + layout->record, &record) || record == 0 ||
      !read_record(record, &copy) || copy.words[layout->waiter / word_size] != task ||
      !kind_of(&copy, &facts->kind) || !read_word(task + layout->context, &context) ||
      !read_word(task + layout->resume, &resume) ||
      !read_word(context + word_size, &callers_resume)) {
    return false;
  }
  facts->subject = copy.words[layout->subject / word_size];
  facts->context = context;
  // A task that waits for its turn has a separate resume address. In other waits, the resume address is the start of
  // the chain at `context`.
  bool is_own = facts->kind == MS_WAITS_FOR_EXECUTOR && resume != callers_resume;
  facts->resume = is_own ? resume : 0;
  return facts->kind != MS_WAITS_FOR_CONTINUATION || facts->subject == context;
}

bool ms_wait_read(const ms_waiting_task *noted, ms_wait_facts *facts) {
  // The memory may belong to another task now.
  return is_learned && read_facts(noted->task, facts) &&
         swift_task_getJobTaskId((void *)noted->task) == noted->task_id;
}

// --- Learning the layout

/// Uses the last pointer in the task that leads to the record. An earlier pointer may be the head of the list of all
/// records of the task, whose newest element need not be this record.
static bool find_record(uintptr_t task, uintptr_t context,
                        ms_waiting_layout *layout, record_copy *copy) {
  for (uint32_t at = first_word; at < end_word; at++) {
    uintptr_t record;
    record_copy tried;
    if (!read_word(task + at * word_size, &record)) break;
    if (!read_record(record, &tried)) continue;
    uint32_t subject = 0, waiter = 0;
    // The first word is the header of a record, so the search starts after it.
    for (uint32_t i = 1; i < record_words; i++) {
      if (tried.words[i] == context) subject = i * word_size;
      if (tried.words[i] == task) waiter = i * word_size;
    }
    if (subject == 0 || waiter == 0) continue;
    layout->record = at * word_size;
    layout->subject = subject;
    layout->waiter = waiter;
    *copy = tried;
  }
  return layout->record != 0;
}

/// Finds the layout from a task that waits for a continuation: such a task has the continuation's context as its own,
/// and resumes at the address stored there.
static bool find_layout(uintptr_t task, record_copy *copy) {
  ms_waiting_layout layout = {0};
  uintptr_t local = ms_waiting_last_local - task;
  if (local == 0 || local > end_word * word_size) return false;
  layout.local = (uint32_t)local;
  for (uint32_t at = first_word + 1; at < end_word; at++) {
    uintptr_t context, resume, callers_resume;
    if (!read_word(task + at * word_size, &context) ||
        !read_word(task + (at - 1) * word_size, &resume)) {
      return false;
    }
    if (resume == 0 || !read_word(context + word_size, &callers_resume) ||
        callers_resume != resume || !find_record(task, context, &layout, copy)) {
      continue;
    }
    layout.context = at * word_size;
    layout.resume = (at - 1) * word_size;
    ms_waiting_learned = layout;
    return true;
  }
  return false;
}

static bool is_distinct(uint32_t offset) {
  enum { most = 256 };
  for (uint32_t i = 0; i < MS_WAIT_KINDS; i++) {
    if (half_of(&samples[i], offset) >= most) return false;
    for (uint32_t j = 0; j < i; j++) {
      if (half_of(&samples[i], offset) == half_of(&samples[j], offset)) return false;
    }
  }
  return true;
}

/// Finds the only number in the record that differs between the kinds of events.
static bool find_kinds(void) {
  for (uint32_t i = 0; i < MS_WAIT_KINDS; i++) {
    if (!samples[i].is_there) return false;
  }
  uint32_t found = 0;
  for (uint32_t at = word_size; at < record_words * word_size; at += sizeof(uint32_t)) {
    bool is_other = at / word_size == ms_waiting_learned.subject / word_size ||
                    at / word_size == ms_waiting_learned.waiter / word_size;
    if (is_other || !is_distinct(at)) continue;
    if (found) return false;
    found = at;
  }
  ms_waiting_learned.kind = found;
  for (uint32_t i = 0; i < MS_WAIT_KINDS; i++) {
    ms_waiting_learned.kinds[i] = half_of(&samples[i], found);
  }
  return found != 0;
}

static void forget(void) {
  is_learned = false;
  ms_waiting_learned = (ms_waiting_layout){0};
  memset(samples, 0, sizeof samples);
}

static bool read_sample(uintptr_t task, ms_wait_kind kind, uintptr_t subject) {
  record_copy *copy = &samples[kind];
  uintptr_t record;
  if (ms_waiting_learned.record == 0) {
    return kind == MS_WAITS_FOR_CONTINUATION && find_layout(task, copy);
  }
  const ms_waiting_layout *layout = &ms_waiting_learned;
  return read_word(task + layout->record, &record) &&
         read_record(record, copy) && copy->words[layout->waiter / word_size] == task &&
         (subject == 0 || copy->words[layout->subject / word_size] == subject);
}

void ms_wait_learn(const void *task, ms_wait_kind kind, const void *subject) {
  ms_wait_facts facts;
  if (is_learned) {  // checks the learned layout
    bool holds = read_facts((uintptr_t)task, &facts) && facts.kind == kind &&
                 (subject == NULL || facts.subject == (uintptr_t)subject);
    if (!holds) forget();
  } else if (task == NULL || !read_sample((uintptr_t)task, kind, (uintptr_t)subject)) {
    forget();
  } else {
    is_learned = find_kinds();
  }
}

void ms_wait_check_runs(const void *task) {
  ms_wait_facts facts;
  if (is_learned && read_facts((uintptr_t)task, &facts)) forget();
}

// Finds tasks by the symbols that the runtime exports for debuggers: each task starts with the address of its metadata,
// at a multiple of 16. Freed memory and copies can contain the same word, so a candidate must satisfy every invariant of
// a waiting task.

#include "task_scan.h"

#include <stddef.h>

#include "crash.h"

// Weak, because a C program or a program with a static runtime may lack these symbols.
extern const uintptr_t _swift_concurrency_debug_asyncTaskMetadata __attribute__((weak));
extern const uintptr_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const uintptr_t _swift_concurrency_debug_future_adapter __attribute__((weak));
extern const uintptr_t _swift_concurrency_debug_non_future_adapter __attribute__((weak));

// Offsets in a task, in a status record, and in an async function's context, in layout version 1 on 64-bit machines.
enum {
  known_version = 1,
  known_size = 208,
  task_references = 8,
  task_flags = 32,
  task_resume = 56,
  task_context = 64,
  task_status = 96,
  task_record = 104,
  task_id_high = 144,
  record_size = 48,
  record_kind = 0,
  record_older = 8,
  record_subject = 16,
  record_event = 32,
  record_task = 40,
  context_resume = 8,
  entry_function = -24,  // the function of a task that has not started, relative to its first context
};

enum {
  status_running = 0x800,
  status_enqueued = 0x1000,
  status_complete = 0x2000,
  status_waits = 0x4000,
  status_known = 0x7fff,
  highest_priority = 0x21,
  most_records = 16,
  alignment = 16,
  block = 256,  // bytes that are tested at once
};

enum { word_size = sizeof(uintptr_t) };

/// A copy of a task's memory.
typedef struct {
  uintptr_t address;
  uintptr_t words[known_size / word_size];
} task_copy;

static uintptr_t field(const task_copy *task, int offset) { return task->words[offset / word_size]; }

static bool is_readable_by_call(void) {
  uintptr_t known = known_size, copy;
  return ms_memory_read((uintptr_t)&known, &copy, sizeof copy) == sizeof copy && copy == known;
}

bool ms_tasks_are_known(void) {
  return ms_runtime_is_known() && &_swift_concurrency_debug_asyncTaskMetadata &&
         &_swift_concurrency_debug_asyncTaskSize && &_swift_concurrency_debug_internal_layout_version &&
         _swift_concurrency_debug_asyncTaskMetadata != 0 && _swift_concurrency_debug_asyncTaskSize == known_size &&
         _swift_concurrency_debug_internal_layout_version == known_version && is_readable_by_call();
}

/// The part of the memory that is being searched, in place or in a copy.
typedef struct {
  uintptr_t address;
  const uintptr_t *words;
  size_t size;
} window;

MS_UNCHECKED static void copy_words(uintptr_t *to, const volatile uintptr_t *from, size_t size) {
  for (size_t i = 0; i < size / word_size; i++) to[i] = from[i];
}

/// Reads words from the window, which usually contains what a task refers to, or else from the memory.
static bool read_words(const window *window, uintptr_t address, uintptr_t *words, size_t size) {
  if (address % word_size != 0) return false;
  uintptr_t offset = address - window->address;
  if (offset >= window->size || window->size - offset < size) return ms_memory_read(address, words, size) == size;
  copy_words(words, window->words + offset / word_size, size);
  return true;
}

static bool read_word(const window *window, uintptr_t address, uintptr_t *word) {
  return read_words(window, address, word, word_size);
}

/// True if the first words are those of a task that is alive and waits.
static bool is_candidate(const task_copy *task) {
  uintptr_t references = field(task, task_references), flags = field(task, task_flags), status = field(task, task_status);
  // The runtime sets bit 32 before it frees an object. Bit 63 means that the counts are stored outside the object.
  bool is_immortal = references == UINT64_C(0x80000004ffffffff);
  if (references == 0 || (!is_immortal && references >> 63 == 0 && references & UINT64_C(1) << 32)) return false;
  // Kind 0 is a task; bits 16 to 23 are unused.
  if (flags & 0xff00ff || (flags >> 8 & 0xff) > highest_priority || flags >> 32 == 0) return false;
  if (status >> 32 != 0 || status & ~(uintptr_t)status_known || (status & 0xff) > highest_priority) return false;
  return (status & (status_running | status_complete)) == 0 && (status & status_waits) != 0;
}

/// Reads the record of the awaited event, which contains the address of its task.
static bool read_event(const window *window, const task_copy *task, ms_waiting_task *found) {
  static const int8_t kinds[] = {-1, MS_WAITS_FOR_TASK, MS_WAITS_FOR_CONTINUATION, MS_WAITS_FOR_GROUP,
                                 MS_WAITS_FOR_EXECUTOR};
  uintptr_t record[record_size / word_size], at = field(task, task_record);
  for (int i = 0; i < most_records && at != 0; i++, at = record[record_older / word_size]) {
    if (!read_words(window, at, record, sizeof record)) return false;
    if ((record[record_kind / word_size] & 0xff) != 0) continue;
    uint32_t event = (uint32_t)record[record_event / word_size];
    if (record[record_task / word_size] != task->address || event == 0 || event >= sizeof kinds) return false;
    found->kind = (ms_wait_kind)kinds[event];
    uintptr_t subject = record[record_subject / word_size];
    found->executor = found->kind == MS_WAITS_FOR_EXECUTOR ? subject : 0;
    bool is_enqueued = (field(task, task_status) & status_enqueued) != 0;
    if (is_enqueued != (found->kind == MS_WAITS_FOR_EXECUTOR)) return false;
    return found->kind != MS_WAITS_FOR_CONTINUATION || subject == found->context;
  }
  return false;
}

static bool is_adapter(uintptr_t function) {
  return (&_swift_concurrency_debug_future_adapter && function == _swift_concurrency_debug_future_adapter) ||
         (&_swift_concurrency_debug_non_future_adapter && function == _swift_concurrency_debug_non_future_adapter);
}

/// The function in which a task continues when its turn has come. A new task starts in an adapter of the runtime, which
/// calls the program's function.
static uintptr_t own_resume(const window *window, uintptr_t resume, uintptr_t context) {
  uintptr_t entry;
  if (!is_adapter(resume)) return resume;
  return read_word(window, context + entry_function, &entry) && ms_is_code(entry) ? entry : 0;
}

static uint64_t id_of(const task_copy *task) {
  return field(task, task_flags) >> 32 | (uint64_t)(uint32_t)field(task, task_id_high) << 32;
}

static bool read_task(const window *window, const task_copy *task, ms_waiting_task *found) {
  if (!is_candidate(task)) return false;
  uintptr_t callers_resume, resume = field(task, task_resume);
  found->context = field(task, task_context);
  found->task_id = id_of(task);
  found->resume = 0;
  if (!ms_is_code(resume) || !read_word(window, found->context + context_resume, &callers_resume) ||
      !read_event(window, task, found)) {
    return false;
  }
  // In other waits, the awaited function resumes the task at the start of the chain at `context`.
  if (found->kind == MS_WAITS_FOR_EXECUTOR && resume != callers_resume) {
    found->resume = own_resume(window, resume, found->context);
  }
  return true;
}

typedef struct {
  ms_task_visitor *visit;
  void *argument;
} receiver;

/// True if the task has not changed since the first copy: a task that has resumed does not wait.
static bool is_unchanged(const task_copy *task) {
  task_copy later;
  if (ms_memory_read(task->address, later.words, sizeof later.words) != sizeof later.words) return false;
  return later.words[0] == task->words[0] && is_candidate(&later) && id_of(&later) == id_of(task) &&
         field(&later, task_resume) == field(task, task_resume) &&
         field(&later, task_context) == field(task, task_context) &&
         field(&later, task_record) == field(task, task_record);
}

static void look_at(const window *window, size_t offset, const receiver *receiver) {
  task_copy task = {.address = window->address + offset};
  ms_waiting_task found;
  copy_words(task.words, window->words + offset / word_size, sizeof task.words);
  if (read_task(window, &task, &found) && is_unchanged(&task)) receiver->visit(&found, receiver->argument);
}

MS_UNCHECKED static bool has_word(const uintptr_t *words, uintptr_t wanted) {
  uintptr_t hits = 0;
  for (size_t i = 0; i < block / word_size; i += alignment / word_size) hits |= words[i] == wanted;
  return hits != 0;
}

MS_UNCHECKED static void search(uintptr_t address, const uintptr_t *words, size_t size, void *argument) {
  uintptr_t wanted = _swift_concurrency_debug_asyncTaskMetadata;
  window window = {address, words, size};
  for (size_t at = 0; size - at >= known_size;) {
    // Most blocks contain no candidate. A test without branches skips them.
    bool is_whole = size - at >= block;
    size_t stop = is_whole ? at + block : size;
    if (is_whole && !has_word(words + at / word_size, wanted)) {
      at = stop;
      continue;
    }
    for (; at < stop && size - at >= known_size; at += alignment) {
      if (words[at / word_size] == wanted) look_at(&window, at, argument);
    }
  }
}

bool ms_tasks_visit(ms_memory_walk *walk, uint64_t limit_ns, ms_task_visitor *visit, void *argument) {
  uint64_t now = ms_now();
  receiver receiver = {visit, argument};
  walk->until = limit_ns < UINT64_MAX - now ? now + limit_ns : UINT64_MAX;
  walk->object_size = known_size;
  walk->visit = search;
  walk->argument = &receiver;
  return ms_memory_visit(walk);
}

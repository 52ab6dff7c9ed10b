#include "tell.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../preload/preload.h"
#include "../shared/own_frames.h"
#include "CRecorder.h"
#include "list.h"
#include "objects.h"

static struct {
  const char *path;
  ms_log *log;
  _Atomic uint32_t kits_told;  // a bit each
} record;

// --- Gathering

void ms_toolkit_look_around(ms_toolkit_finding *finding, const ms_toolkit_function *function, uintptr_t argument,
                            uintptr_t caller) {
  enum { most_own = 8 };
  uintptr_t walked[MS_TOOLKIT_FRAMES + most_own];
  ms_walk_end end = MS_WALK_COMPLETE;
  memset(finding, 0, sizeof *finding);
  uint32_t count = ms_walk_here(walked, MS_TOOLKIT_FRAMES + most_own, 0, &end);
  uint32_t own = ms_own_frames(walked, count, caller);
  finding->function = function;
  finding->frame_count = count - own < MS_TOOLKIT_FRAMES ? count - own : MS_TOOLKIT_FRAMES;
  memcpy(finding->frames, walked + own, finding->frame_count * sizeof *walked);
  finding->walk_end = end;
  finding->thread = ms_toolkit_this_thread();
  finding->owner = ms_toolkit_owner_of(function->toolkit);
  finding->start = ms_toolkit_own_start();
  finding->work = ms_toolkit_own_work(&finding->work_room);
  ms_script_read(&finding->script, caller);
  if (function->type || function->kind == MS_TOOLKIT_CALL_ON) {
    ms_toolkit_describe(ms_toolkit_kit_at(function->toolkit), argument, finding->type, finding->name);
  }
}

// --- A crumb

void ms_toolkit_record_to(const char *path) { record.path = path; }

static void open_log(void) { record.log = ms_preload_open_log(record.path); }

bool ms_toolkit_open_log(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_log);
  return record.log != NULL;
}

/// A crumb's data as they grow.
typedef struct {
  uint8_t *bytes;
  uint32_t size;
  uint8_t count;
  bool cut;
} room;

static void put_text(room *data, const char *key, const char *text, size_t size) {
  if (!size) return;
  data->size = ms_data_string(data->bytes, data->size, key, strlen(key), text, size, &data->cut);
  data->count++;
}

static void put_number(room *data, const char *key, uint64_t number) {
  data->size = ms_data_integer(data->bytes, data->size, key, strlen(key), (int64_t)number, &data->cut);
  data->count++;
}

static void put_script(room *data, const char *key, const ms_script *script, uint32_t most) {
  for (uint32_t i = 0; i < script->count && i < most; i++) {
    put_text(data, key, script->frames[i], strlen(script->frames[i]));
  }
}

static void put_stack(room *data, const char *key, const ms_toolkit_start *start) {
  char stack[MS_TOOLKIT_START_FRAMES * 17 + 1];
  size_t size = 0;
  for (uint32_t i = 0; i < start->frame_count; i++) {
    size += (size_t)snprintf(stack + size, sizeof stack - size, "%s%lx", i ? " " : "", (unsigned long)start->frames[i]);
  }
  put_text(data, key, stack, size);
}

static void append(ms_log_thread *thread, ms_kind kind, const char *category, const char *message, const room *data,
                   const ms_toolkit_finding *finding) {
  ms_crumb crumb = {
      .category = category,
      .category_size = strlen(category),
      .message = message,
      .message_size = strlen(message),
      .data = data->bytes,
      .data_size = data->size,
      .data_count = data->count,
      .kind = (uint8_t)kind,
      .level = finding ? 3 : 1,
      // The main queue has no say in it.
      .flags = MS_CRUMB_MAIN_UNKNOWN | (data->cut ? MS_CRUMB_DATA_CUT : 0),
      .frames = finding ? finding->frames : NULL,
      .frame_count = finding ? (uint16_t)finding->frame_count : 0,
      .walk_end = finding ? (uint8_t)finding->walk_end : 0,
  };
  ms_log_append(thread, &crumb);
}

/// How its calls get to where they belong, once: the list need not be where the log is read.
static void tell_fixes(uint32_t toolkit) {
  if (atomic_fetch_or(&record.kits_told, 1u << toolkit) & 1u << toolkit) return;
  ms_log_thread *thread = ms_log_enter(record.log, MS_KIND_ERROR);
  if (!thread) return;
  const ms_toolkit_kit *kit = ms_toolkit_kit_at(toolkit);
  room data = {.bytes = ms_log_data(thread)};
  for (const char *line = ms_toolkit_text(kit->fixes); *line;) {
    size_t size = strcspn(line, "\n"), language = strcspn(line, " ");
    char key[16];
    snprintf(key, sizeof key, "%.*s", (int)language, line);
    if (language < size) put_text(&data, key, line + language + 1, size - language - 1);
    line += size + (line[size] == '\n');
  }
  append(thread, MS_KIND_ERROR, MS_WORD_TOOLKIT_FIX, ms_toolkit_text(kit->name), &data, NULL);
  ms_log_leave(thread);
}

void ms_toolkit_record(const ms_toolkit_finding *finding) {
  if (!ms_toolkit_open_log()) return;
  tell_fixes(finding->function->toolkit);
  ms_log_thread *thread = ms_log_enter(record.log, MS_KIND_ERROR);
  if (!thread) return;
  room data = {.bytes = ms_log_data(thread)};
  const char *kit = ms_toolkit_text(ms_toolkit_kit_at(finding->function->toolkit)->name);
  put_text(&data, MS_KEY_TOOLKIT, kit, strlen(kit));
  put_number(&data, MS_KEY_OCCURRENCE, finding->occurrence);
  put_number(&data, MS_KEY_OWNER, finding->owner.number);
  put_text(&data, MS_KEY_OWNER_NAME, finding->owner.name, strlen(finding->owner.name));
  put_text(&data, MS_KEY_TYPE, finding->type, strlen(finding->type));
  put_text(&data, MS_KEY_NAME, finding->name, strlen(finding->name));
  put_script(&data, MS_KEY_SCRIPT, &finding->script, 3);
  // Who started a pool's thread queued what it ran first, which is another matter.
  if (finding->work) {
    put_number(&data, MS_KEY_QUEUED_BY, finding->work->by.number);
    put_stack(&data, MS_KEY_QUEUED_STACK, finding->work);
  } else if (finding->start) {
    put_number(&data, MS_KEY_STARTED_BY, finding->start->by.number);
    put_script(&data, MS_KEY_STARTED_SCRIPT, &finding->start->script, 1);
    put_stack(&data, MS_KEY_STARTED_STACK, finding->start);
  }
  append(thread, MS_KIND_ERROR, MS_WORD_TOOLKIT, ms_toolkit_text(finding->function->name), &data, finding);
  ms_log_leave(thread);
}

void ms_toolkit_close_log(void) {
  if (!record.log) return;
  for (uint32_t i = 0; i < ms_toolkit_kit_count(); i++) {
    ms_log_thread *thread = ms_log_enter(record.log, MS_KIND_NOTE);
    if (!thread) break;
    room data = {.bytes = ms_log_data(thread)};
    put_number(&data, MS_KEY_CALLS, ms_toolkit_owners[1 + i].calls);
    append(thread, MS_KIND_NOTE, MS_WORD_TOOLKIT, ms_toolkit_text(ms_toolkit_kit_at(i)->name), &data, NULL);
    ms_log_leave(thread);
  }
  ms_preload_close_log(record.log);
}

// --- A line

void ms_toolkit_write_line(const ms_toolkit_finding *finding) {
  char object[160] = "", place[192], line[640];
  if (*finding->name) snprintf(object, sizeof object, " (%s “%s”)", finding->type, finding->name);
  else if (*finding->type) snprintf(object, sizeof object, " (%s)", finding->type);
  uintptr_t offset = 0;
  const char *file = finding->frame_count ? ms_toolkit_file_of(finding->frames[0] - 1, &offset) : NULL;
  if (finding->script.count) {
    snprintf(place, sizeof place, "%s", finding->script.frames[0]);
  } else {
    snprintf(place, sizeof place, "%s+%#lx", !file ? "?" : *file ? file : "the program", (unsigned long)offset);
  }
  const char *kit = ms_toolkit_text(ms_toolkit_kit_at(finding->function->toolkit)->name);
  snprintf(line, sizeof line, "%s%s on thread %u “%s”, and %s belongs to thread %u “%s”: called at %s",
           ms_toolkit_text(finding->function->name), object, finding->thread.number, finding->thread.name, kit,
           finding->owner.number, finding->owner.name, place);
  ms_preload_say(line, "");
}

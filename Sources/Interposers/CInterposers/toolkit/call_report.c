#include "call_report.h"

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
  _Atomic uint32_t kits_told;  // a bit for each toolkit whose fixes are recorded
} record;

// --- Facts

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

/// Begins a crumb without a verdict about the main queue, which does not matter for a toolkit's owner.
static ms_crumb_builder begin(ms_kind kind, uint8_t level, const char *category, const char *message) {
  ms_crumb_builder crumb = ms_crumb_begin(record.log, kind, level, category, message);
  crumb.crumb.flags |= MS_CRUMB_MAIN_UNKNOWN;
  return crumb;
}

static void add_script(ms_crumb_builder *crumb, const char *key, const ms_script *script, uint32_t most) {
  for (uint32_t i = 0; i < script->count && i < most; i++) ms_crumb_add_string(crumb, key, script->frames[i]);
}

static void add_stack(ms_crumb_builder *crumb, const char *key, const ms_toolkit_start *start) {
  char stack[MS_TOOLKIT_START_FRAMES * 17 + 1];
  size_t size = 0;
  for (uint32_t i = 0; i < start->frame_count; i++) {
    size += (size_t)snprintf(stack + size, sizeof stack - size, "%s%lx", i ? " " : "", (unsigned long)start->frames[i]);
  }
  ms_crumb_add_text(crumb, key, stack, size);
}

/// Records once how to send calls to the toolkit's thread, because the reader of the log may not have the list.
static void tell_fixes(uint32_t toolkit) {
  if (atomic_fetch_or(&record.kits_told, 1u << toolkit) & 1u << toolkit) return;
  const ms_toolkit_kit *kit = ms_toolkit_kit_at(toolkit);
  ms_crumb_builder crumb = begin(MS_KIND_ERROR, 1, MS_WORD_TOOLKIT_FIX, ms_toolkit_text(kit->name));
  for (const char *line = ms_toolkit_text(kit->fixes); *line;) {
    size_t size = strcspn(line, "\n"), language = strcspn(line, " ");
    char key[16];
    snprintf(key, sizeof key, "%.*s", (int)language, line);
    if (language < size) ms_crumb_add_text(&crumb, key, line + language + 1, size - language - 1);
    line += size + (line[size] == '\n');
  }
  ms_crumb_end(&crumb);
}

void ms_toolkit_record(const ms_toolkit_finding *finding) {
  if (!ms_toolkit_open_log()) return;
  tell_fixes(finding->function->toolkit);
  ms_crumb_builder crumb = begin(MS_KIND_ERROR, 3, MS_WORD_TOOLKIT, ms_toolkit_text(finding->function->name));
  const char *kit = ms_toolkit_text(ms_toolkit_kit_at(finding->function->toolkit)->name);
  ms_crumb_add_string(&crumb, MS_KEY_TOOLKIT, kit);
  ms_crumb_add_integer(&crumb, MS_KEY_OCCURRENCE, (int64_t)finding->occurrence);
  ms_crumb_add_integer(&crumb, MS_KEY_OWNER, finding->owner.number);
  ms_crumb_add_string(&crumb, MS_KEY_OWNER_NAME, finding->owner.name);
  ms_crumb_add_string(&crumb, MS_KEY_TYPE, finding->type);
  ms_crumb_add_string(&crumb, MS_KEY_NAME, finding->name);
  add_script(&crumb, MS_KEY_SCRIPT, &finding->script, 3);
  // The creator of a pool's thread queued the first work of that thread, which is not the current work.
  if (finding->work) {
    ms_crumb_add_integer(&crumb, MS_KEY_QUEUED_BY, finding->work->by.number);
    add_stack(&crumb, MS_KEY_QUEUED_STACK, finding->work);
  } else if (finding->start) {
    ms_crumb_add_integer(&crumb, MS_KEY_STARTED_BY, finding->start->by.number);
    add_script(&crumb, MS_KEY_STARTED_SCRIPT, &finding->start->script, 1);
    add_stack(&crumb, MS_KEY_STARTED_STACK, finding->start);
  }
  ms_crumb_set_stack(&crumb, finding->frames, finding->frame_count, finding->walk_end);
  ms_crumb_end(&crumb);
}

void ms_toolkit_close_log(void) {
  if (!record.log) return;
  for (uint32_t i = 0; i < ms_toolkit_kit_count(); i++) {
    const char *kit = ms_toolkit_text(ms_toolkit_kit_at(i)->name);
    ms_crumb_builder crumb = begin(MS_KIND_NOTE, 1, MS_WORD_TOOLKIT, kit);
    ms_crumb_add_integer(&crumb, MS_KEY_CALLS, (int64_t)ms_toolkit_owners[1 + i].calls);
    ms_crumb_end(&crumb);
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
  snprintf(line, sizeof line, "%s%s was called on thread %u “%s”, but %s belongs to thread %u “%s”: the call is at %s",
           ms_toolkit_text(finding->function->name), object, finding->thread.number, finding->thread.name, kit,
           finding->owner.number, finding->owner.name, place);
  ms_preload_say(line, "");
}

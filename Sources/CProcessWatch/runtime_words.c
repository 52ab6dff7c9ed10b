// Hears what Swift's runtime says on standard error, as it says it: what is misused, and which check fails.
//
// The runtime keeps of this what it dies of, and not all of that. So where its library for concurrency
// calls what writes, it calls us, and we call that. Nobody else's calls are touched, and nothing
// that is written is changed.

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "CQueueState.h"
#include "changes.h"
#include "imports.h"
#include "ms_watch.h"

static _Atomic(ms_runtime_listener) listener;
static void (*real_swift_reportError)(uint32_t flags, const char *message);
static int (*real_fputs)(const char *text, FILE *file);
static int (*real_vfprintf)(FILE *file, const char *format, va_list arguments);

// What a thread said that the runtime is about to end the process for.
enum { longest = 1024 };
static char last_words[longest];
static _Atomic uint32_t speaker;

// What was only complained of last: the runtime leaves that where it leaves what it dies of.
static char complaint[longest];
static atomic_flag is_complaining = ATOMIC_FLAG_INIT;

static void hear(const char *text) {
  int saved = errno;
  ms_runtime_listener told = atomic_load(&listener);
  if (told && text) told(text);
  errno = saved;
}

static void keep_complaint(const char *text) {
  if (atomic_flag_test_and_set(&is_complaining)) return;
  strncpy(complaint, text, sizeof complaint - 1);
  atomic_flag_clear(&is_complaining);
}

static void swift_reportError_overheard(uint32_t flags, const char *message) {
  hear(message);
  if (message) keep_complaint(message);
  real_swift_reportError(flags, message);
}

static int fputs_overheard(const char *text, FILE *file) {
  if (file == stderr) hear(text);
  return real_fputs(text, file);
}

static int vfprintf_overheard(FILE *file, const char *format, va_list arguments) {
  if (file == stderr) {
    // So it says only what it dies of: the first to do so is the one that is kept.
    uint32_t nobody = 0;
    va_list again;
    va_copy(again, arguments);
    if (atomic_compare_exchange_strong(&speaker, &nobody, ms_thread_id_anew())) {
      vsnprintf(last_words, sizeof last_words, format, again);
      hear(last_words);
    }
    va_end(again);
  }
  return real_vfprintf(file, format, arguments);
}

static const ms_overheard functions[] = {MS_OVERHEARD(swift_reportError), MS_OVERHEARD(fputs),
                                         MS_OVERHEARD(vfprintf)};
enum { function_count = sizeof functions / sizeof *functions };
// Only the library for concurrency imports this.
static const char beside[] = "_swift_shouldReportFatalErrorsToDebugger";

static unsigned beginnings;

void ms_runtime_words_begin(ms_runtime_listener heard) {
  if (!ms_overheard_find(functions, function_count)) return;
  ms_mask mask = ms_begin_change(MS_OVERHEARING);
  atomic_store(&listener, heard);
  if (beginnings++ == 0) ms_overheard_change(beside, functions, function_count, true);
  ms_end_change(MS_OVERHEARING, mask);
}

void ms_runtime_words_end(void) {
  ms_mask mask = ms_begin_change(MS_OVERHEARING);
  if (beginnings > 0 && --beginnings == 0) {
    ms_overheard_change(beside, functions, function_count, false);
  }
  ms_end_change(MS_OVERHEARING, mask);
}

const char *ms_runtime_last_words(uint32_t thread) {
  return atomic_load(&speaker) == thread ? last_words : NULL;
}

bool ms_runtime_only_complained(const char *text) {
  size_t size = strlen(complaint);
  return size > 0 && strncmp(text, complaint, size) == 0;
}

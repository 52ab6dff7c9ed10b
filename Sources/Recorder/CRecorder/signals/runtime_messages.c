// Observes the messages that Swift's runtime writes to standard error, such as a misused continuation or a failed
// check.
//
// The runtime keeps only some of its messages for a crash report. Its exported reporting functions, such as
// `_swift_runtime_on_report`, cannot be replaced: they are protected symbols, which the runtime calls directly.
// Therefore the import tables of two libraries lead to functions here, which call the real ones: the concurrency
// library and the standard library. Each is found by a reporting function that it defines; no other module is
// changed, and the output stays the same.

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "ms_thread.h"
#include "ms_facts.h"
#include "change_locks.h"
#include "import_hooks.h"
#include "ms_watch.h"

static _Atomic(ms_runtime_listener) listener;
static void (*real_swift_reportError)(uint32_t flags, const char *message);
static int (*real_fputs)(const char *text, FILE *file);
static int (*real_fprintf)(FILE *file, const char *format, ...);
static int (*real_vfprintf)(FILE *file, const char *format, va_list arguments);

// The message of the first thread that ends the process.
enum { longest = 1024 };
static char last_words[longest];
static _Atomic uint32_t speaker;

typedef struct {
  char text[longest];
  atomic_flag is_taken;
} kept_text;

// The last non-fatal message. The runtime stores it in the same buffer as its fatal messages.
static kept_text complaint = {.is_taken = ATOMIC_FLAG_INIT};

static void hear(const char *text) {
  int saved = errno;
  ms_runtime_listener told = atomic_load(&listener);
  if (told && text) told(text);
  errno = saved;
}

static void keep(kept_text *kept, const char *text) {
  if (text == NULL || atomic_flag_test_and_set(&kept->is_taken)) return;
  strncpy(kept->text, text, sizeof kept->text - 1);
  atomic_flag_clear(&kept->is_taken);
}

static void swift_reportError_hooked(uint32_t flags, const char *message) {
  hear(message);
  keep(&complaint, message);
  real_swift_reportError(flags, message);
}

static int fputs_hooked(const char *text, FILE *file) {
  if (file == stderr) hear(text);
  return real_fputs(text, file);
}

static int vfprintf_hooked(FILE *file, const char *format, va_list arguments) {
  if (file == stderr) {
    // Only threads that end the process get here; the first message is kept.
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

// The runtime reports simultaneous accesses to a variable in several pieces, and then ends the process. Both start
// times are in the collected text.
static char accesses[longest];
static size_t accesses_size;
static _Atomic uint32_t accessing;

static void hear_piece(const char *piece) {
  uint32_t nobody = 0, self = ms_thread_id_anew();
  if (strncmp(piece, "Simultaneous accesses ", strlen("Simultaneous accesses ")) == 0) {
    atomic_compare_exchange_strong(&accessing, &nobody, self);
  }
  if (atomic_load(&accessing) != self) return;
  if (strncmp(piece, "Current access ", strlen("Current access ")) == 0) {
    hear(accesses);
    atomic_store(&accessing, UINT32_MAX);  // the process ends because of these accesses
    return;
  }
  size_t room = sizeof accesses - 1 - accesses_size, size = strnlen(piece, room);
  memcpy(accesses + accesses_size, piece, size);
  accesses_size += size;
}

static int fprintf_hooked(FILE *file, const char *format, ...) {
  va_list arguments;
  if (file == stderr) {
    char piece[longest / 2];
    int saved = errno;
    va_start(arguments, format);
    vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    hear_piece(piece);
    errno = saved;
  }
  va_start(arguments, format);
  int written = real_vfprintf(file, format, arguments);
  va_end(arguments);
  return written;
}

// A replacement for the buffer that the standard library of Swift 6.0 does not have.
static kept_text said = {.is_taken = ATOMIC_FLAG_INIT};
static const char *what_was_said = said.text;
extern const char **swift_getFatalErrorMessageBuffer(void) __attribute__((weak));

static int fputs_of_standard_library(const char *text, FILE *file) {
  if (file == stderr) keep(&said, text);
  return real_fputs(text, file);
}

static const ms_import_hook functions[] = {MS_IMPORT_HOOK(swift_reportError), MS_IMPORT_HOOK(fputs),
                                         MS_IMPORT_HOOK(vfprintf)};
static const ms_import_hook of_accesses = MS_IMPORT_HOOK(fprintf);
static const ms_import_hook of_deaths = {"fputs", (void **)&real_fputs, (void *)fputs_of_standard_library};
enum { function_count = sizeof functions / sizeof *functions };
static const void *concurrency, *standard_library;  // addresses inside the libraries; NULL: not hooked

static void find_libraries(void) {
  concurrency = ms_library_defining("swift_task_reportUnexpectedExecutor");
  standard_library = ms_library_defining("_swift_stdlib_reportFatalError");
}

/// Installs or removes all hooks. Returns true if both libraries were changed.
static bool change_all(bool begins) {
  bool is_changed = ms_import_hooks_change_inside(concurrency, functions, function_count, begins) > 0;
  is_changed = ms_import_hooks_change_inside(standard_library, &of_accesses, 1, begins) > 0 && is_changed;
  if (!swift_getFatalErrorMessageBuffer) {
    ms_import_hooks_change_inside(standard_library, &of_deaths, 1, begins);
  }
  return is_changed;
}

static unsigned beginnings;

void ms_runtime_words_begin(ms_runtime_listener heard) {
  bool is_found = ms_import_hooks_find(functions, function_count) && ms_import_hooks_find(&of_accesses, 1);
  find_libraries();
  if (!ms_fact_learned(MS_FACT_RUNTIME_MESSAGES, is_found && concurrency && standard_library)) return;
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  atomic_store(&listener, heard);
  if (beginnings++ == 0 && !change_all(true)) {
    change_all(false);
    ms_fact_learned(MS_FACT_RUNTIME_MESSAGES, false);
  }
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

void ms_runtime_words_end(void) {
  ms_mask mask = ms_begin_change(MS_ACCEPTED_SIGNALS);
  if (beginnings > 0 && --beginnings == 0) change_all(false);
  ms_end_change(MS_ACCEPTED_SIGNALS, mask);
}

const char **ms_runtime_said(void) {
  return swift_getFatalErrorMessageBuffer ? swift_getFatalErrorMessageBuffer() : &what_was_said;
}

const char *ms_runtime_last_words(uint32_t thread) {
  return atomic_load(&speaker) == thread ? last_words : NULL;
}

bool ms_runtime_only_complained(const char *text) {
  size_t size = strlen(complaint.text);
  return size > 0 && strncmp(text, complaint.text, size) == 0;
}

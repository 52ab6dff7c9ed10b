#include "soft_checks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../shared/own_frames.h"
#include "CRecorder.h"
#include "ms_log_words.h"

static struct {
  const char *path;
  ms_log *log;
  bool is_in_tests;
} record;

static void open_log(void) { record.log = ms_preload_open_log(record.path); }

static ms_log *log_of_process(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_log);
  return record.log;
}

// --- The runtime: a library, or a part of the program

static __attribute__((swiftcall)) ms_executor (*main_of_program)(void);
static const char *(*label_of_program)(void *queue);

static const char main_label[] = "com.apple.main-thread";

static bool is_main(ms_executor executor) {
  return main_of_program ? executor.identity == main_of_program().identity : ms_executor_is_main(executor);
}

/// True if main-queue work may run here. In a program that contains Dispatch, the label of its queue is compared; it
/// differs for a queue that targets the main queue.
static bool is_on_main(void) {
  if (!label_of_program) return ms_queue_on_main();
  const char *label = label_of_program(NULL);
  return label && strcmp(label, main_label) == 0;
}

static bool look_into_program(ms_isolation_listener heard) {
  ms_symbol found[] = {{"swift_task_checkIsolated_hook", 0, 0}, {"swift_task_getMainExecutor", 0, 0},
                       {"dispatch_queue_get_label", 0, 0}, {"$sSo19_SwiftStdlibVersionasE7currentABvgZ", 0, 0}};
  if (!ms_symbols_of_program(found, sizeof found / sizeof *found)) return false;
  if (!ms_runtime_is_known_version(((__attribute__((swiftcall)) uint32_t (*)(void))found[3].address)())) return false;
  main_of_program = (__attribute__((swiftcall)) ms_executor (*)(void))found[1].address;
  label_of_program = (const char *(*)(void *))found[2].address;
  ms_isolation_hear_at((void *)found[0].address, heard);
  return true;
}

// --- A failed check

typedef struct {
  const char *data;
  size_t size;
} type_name;

extern __attribute__((swiftcall)) type_name swift_getTypeName(const void *type, bool is_qualified)
    __attribute__((weak));

/// Writes the name of the actor: `main actor`, or `actor App.Store`.
static void name_actor(ms_executor executor, char *name, size_t room) {
  if (is_main(executor)) {
    snprintf(name, room, "main actor");
  } else if (swift_getTypeName) {
    type_name type = swift_getTypeName(*(void **)executor.identity, true);
    snprintf(name, room, "actor %.*s", (int)type.size, type.data);
  } else {
    snprintf(name, room, "another actor");
  }
}

static void write_crumb(const char *actor, bool is_certain, const uintptr_t *frames, uint32_t count, ms_walk_end end) {
  ms_log *log = log_of_process();
  if (!log) return;
  // 3: a warning
  ms_crumb_builder crumb = ms_crumb_begin(log, MS_KIND_VIOLATION, 3, "affinity",
                                          "an isolation check failed, and --isolation soft ignored it");
  ms_crumb_add_string(&crumb, MS_KEY_EXPECTED, actor);
  ms_crumb_add_integer(&crumb, MS_KEY_OCCURRENCE, 1);
  if (!is_certain) ms_crumb_add_boolean(&crumb, MS_KEY_CERTAIN, false);
  ms_task_facts facts;
  if (ms_task_facts_here(&facts)) ms_crumb_add_integer(&crumb, MS_KEY_TASK, (int64_t)facts.task);
  ms_crumb_set_queue(&crumb, ms_queue_stamp_here());
  ms_crumb_set_stack(&crumb, frames, count, end);
  ms_crumb_end(&crumb);
}

static void write_line(const char *actor) {
  char line[400];
  const char *label = label_of_program ? label_of_program(NULL) : ms_queue_stamp_here().label;
  snprintf(line, sizeof line,
           "a check failed: code isolated to the %s runs on %s%s. This is a data race: without --isolation soft, the "
           "process ends here. crashscan %s names the code",
           actor, label ? "queue " : "a thread without a queue", label ? label : "",
           record.is_in_tests ? "test" : record.path);
  ms_preload_say(line, "");
}

/// Decides a check. The default executor of an actor is current only if the runtime knows it; the runtime asks the main
/// actor's and other executors themselves.
static bool soften(ms_executor executor, uintptr_t caller) {
  enum { most_frames = 64 };
  bool concerns_main = is_main(executor);
  // The executor of a program decides its own checks.
  if (!concerns_main && !ms_executor_is_default(executor)) return false;
  if (concerns_main && is_on_main()) return true;
  if (!ms_isolation_is_new_site(caller)) return true;
  uintptr_t frames[most_frames];
  ms_walk_end end = MS_WALK_COMPLETE;
  uint32_t count = ms_walk_here(frames, most_frames, 0, &end), own = ms_own_frames(frames, count, caller);
  char actor[160];
  name_actor(executor, actor, sizeof actor);
  bool is_certain = !concerns_main || (!label_of_program && !ms_queue_fallback_reason());
  write_crumb(actor, is_certain, frames + own, count - own, end);
  write_line(actor);
  return true;
}

bool ms_soft_checks_begin(const ms_preload_request *request, const char **reason) {
  record.path = request->log;
  record.is_in_tests = request->is_in_tests;
  bool is_heard = ms_isolation_hear(soften) || look_into_program(soften);
  *reason = dlsym(RTLD_DEFAULT, "swift_task_checkIsolated_hook")
                ? "this version of Swift's runtime is not known"
                : "no Swift runtime was found in this program (a static one must not be stripped)";
  if (is_heard && !request->is_child) log_of_process();
  return is_heard;
}

void ms_soft_checks_close_log(void) { ms_preload_close_log(record.log); }

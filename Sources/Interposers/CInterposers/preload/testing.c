// Reports the tests of a test bundle to `crashscan test`, and records the bundle's crash, without a rebuild.
//
// The loader loads this library into every descendant of the command, including compilers. The library acts only in an
// executable whose name ends in `.xctest`. There it removes its request from the environment, so that child processes
// of the tests run without the library.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CCrashHandler.h"
#include "preload.h"
#include "test_lines.h"
#include "testing.h"

static const char directory_variable[] = "MAINSTAY_TEST_DIRECTORY";
static const char preload_variable[] = "MAINSTAY_TEST_PRELOAD";
static const char stream_option[] = "--event-stream-output-path";

static char *directory;  // the directory of the run's files; NULL: this process is no test process
static pid_t process;    // the id of the test process; a forked child has another id
static ms_log *log_of_crash;

static char *path_of(const char *suffix) {
  char *path = NULL;
  return asprintf(&path, "%s/%d.%s", directory, getpid(), suffix) < 0 ? NULL : path;
}

/// Returns the value of an option in the arguments, `--name value` or `--name=value`; NULL without the option.
static const char *value_of(const char *option, char **arguments) {
  size_t size = strlen(option);
  for (; *arguments; arguments++) {
    if (strncmp(*arguments, option, size) != 0) continue;
    if ((*arguments)[size] == '=') return *arguments + size + 1;
    if ((*arguments)[size] == 0 && arguments[1]) return arguments[1];
  }
  return NULL;
}

static void put(int file, const char *text) {
  if (write(file, text, strlen(text) + 1) < 0) return;
}

/// Creates a file that crashscan sees only once `publish` was called.
static int create_hidden(void) {
  char *hidden = path_of("new");
  int file = hidden ? open(hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  free(hidden);
  return file;
}

static void publish(int file, const char *suffix) {
  char *path = path_of(suffix), *hidden = path_of("new");
  close(file);
  if (path && hidden) rename(hidden, path);
  free(path);
  free(hidden);
}

/// Writes the announcement of this process as NUL-terminated strings: working directory, executable, number of
/// arguments, arguments, environment.
static void announce(int count, char **arguments) {
  char *folder = getcwd(NULL, 0);
  char number[16];
  int file = create_hidden();
  if (file >= 0) {
    snprintf(number, sizeof number, "%d", count);
    put(file, folder ? folder : "/");
    put(file, ms_test_executable());
    put(file, number);
    for (int i = 0; i < count; i++) put(file, arguments[i]);
    for (char **variable = environ; variable && *variable; variable++) put(file, *variable);
    publish(file, "begun");
  }
  free(folder);
}

/// Removes the events of an earlier run from the file that Swift Testing will write, before crashscan reads the file.
static void empty_stream(const char *path) {
  struct stat status;
  if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode) && truncate(path, 0) != 0) return;
}

/// Executes the bundle again, with an event stream if `has_events`. Returns only on failure.
static void start_again(int count, char **arguments, bool has_events) {
  char *path = has_events ? path_of("events") : NULL;
  char **more = calloc((size_t)count + 3, sizeof *more);
  if (!more) return;
  memcpy(more, arguments, (size_t)count * sizeof *more);
  if (path) {
    more[count] = (char *)stream_option;
    more[count + 1] = path;
  }
  execv(ms_test_executable(), more);
}

static void take_out_of_environment(void) {
  const char *before = getenv(preload_variable);
  if (before && *before) {
    setenv("LD_PRELOAD", before, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  unsetenv(directory_variable);
  unsetenv(preload_variable);
  unsetenv(ms_test_pool_variable);
}

/// True if the arguments only request the list of tests.
static bool lists_tests(char **arguments) {
  for (; *arguments; arguments++) {
    if (strcmp(*arguments, "--list-tests") == 0 || strcmp(*arguments, "-l") == 0 ||
        strcmp(*arguments, "--dump-tests-json") == 0) {
      return true;
    }
  }
  return false;
}

/// True if a sanitizer is loaded, which installs its own signal handlers and alternate stacks.
static bool has_sanitizer(void) {
  return dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init");
}

/// Writes the exit status to a file, because crashscan is not the parent of this process.
static void note_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process) return;
  int file = create_hidden();
  if (file < 0) return;
  dprintf(file, "%d\n", status);
  publish(file, "exited");
}

static void record_crashes(void) {
  if (has_sanitizer()) return;
  char *path = path_of("log");
  if (!path) return;
  ms_crash_cover_threads();
  ms_queue_start();
  ms_walk_start();
  void *runs_tasks = dlsym(RTLD_DEFAULT, "swift_job_run");
  if (runs_tasks) ms_walk_learn_tasks_later((uintptr_t)runs_tasks, ms_symbol_size(runs_tasks));
  log_of_crash = ms_preload_open_log(path);
  if (!log_of_crash) return;
  ms_crash_options options = {.log = log_of_crash, .thread_budget_ns = 1000000000};
  ms_crash_install(&options);
}

// The library is also loaded into compilers, so it does not link the C++ runtime.
void ms_uncaught_begin(void) {}
void ms_uncaught_end(void) {}
const char *ms_uncaught_type(void) { return NULL; }
const char *ms_uncaught_text(void) { return NULL; }

__attribute__((constructor)) static void load(int count, char **arguments, char **environment) {
  (void)environment;
  const char *asked = getenv(directory_variable);
  if (!asked || !ms_is_test_bundle()) return;
  directory = strdup(asked);
  if (!directory) return;
  process = getpid();
  const char *library = value_of("--testing-library", arguments + 1);
  bool is_swift_testing = library && strcmp(library, "swift-testing") == 0;
  bool lists = lists_tests(arguments + 1);
  bool needs_events = is_swift_testing && !value_of(stream_option, arguments + 1);
  bool is_narrowed = ms_test_pool_narrow();
  // Dispatch has already counted the processors, so only a new program uses the restriction.
  if (!lists && (needs_events || is_narrowed)) start_again(count, arguments, needs_events);
  take_out_of_environment();
  if (lists) {
    directory = NULL;
    return;
  }
  if (is_swift_testing) {
    empty_stream(value_of(stream_option, arguments + 1));
  } else {
    char *copy = path_of("lines");
    ms_test_lines_begin(copy);
    free(copy);
  }
  on_exit(note_exit, NULL);
  announce(count, arguments);
}

// --- Crash recording, started after the constructors of all libraries, so that our handler runs before Swift's

typedef int (*main_function)(int, char **, char **);
static main_function main_of_bundle;

static int begin_main(int count, char **arguments, char **environment) {
  record_crashes();
  __attribute__((musttail)) return main_of_bundle(count, arguments, environment);
}

typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/// Interposes the C library function that calls `main`.
__attribute__((visibility("default"))) int __libc_start_main(main_function main, int count, char **arguments,
                                                             void (*begin)(void), void (*end)(void),
                                                             void (*loader_end)(void), void *stack_end) {
  start_function start = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
  main_of_bundle = main;
  return start(directory ? begin_main : main, count, arguments, begin, end, loader_end, stack_end);
}

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

#include "crashes.h"
#include "preload.h"
#include "test_lines.h"
#include "testing.h"

static const char directory_variable[] = "MAINSTAY_TEST_DIRECTORY";
static const char preload_variable[] = "MAINSTAY_TEST_PRELOAD";
static const char stream_option[] = "--event-stream-output-path";

static char *directory;  // the directory of the run's files; NULL: this process is no test process
static pid_t process;    // the id of the test process; a forked child has another id

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

/// Writes the exit status to a file, because crashscan is not the parent of this process.
static void note_exit(int status, void *unused) {
  (void)unused;
  if (getpid() != process) return;
  int file = create_hidden();
  if (file < 0) return;
  dprintf(file, "%d\n", status);
  publish(file, "exited");
}

ms_log *ms_preload_log_of_crashes(void) {
  char *path = directory ? path_of("log") : NULL;
  return path ? ms_preload_open_log(path) : NULL;
}

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

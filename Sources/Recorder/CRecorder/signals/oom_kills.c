// The kernel's count of out-of-memory kills in this process's cgroup.

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ms_crash_append.h"
#include "ms_watch.h"

/// Returns 1 + the number of kills; 0 if the file does not contain the number.
static uint64_t count_in(const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  char line[128];
  unsigned long long kills = 0;
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    found = sscanf(line, "oom_kill %llu", &kills) == 1;
  }
  fclose(file);
  return found ? kills + 1 : 0;
}

/// Returns true if this process is the only member of the cgroup of this file.
static bool is_alone(const char *path) {
  char members[PATH_MAX];
  const char *slash = strrchr(path, '/');
  int size = snprintf(members, sizeof members, "%.*s/cgroup.procs", (int)(slash - path), path);
  FILE *file = size < PATH_MAX ? fopen(members, "re") : NULL;
  if (file == NULL) return false;
  long process;
  bool is_only = true, is_in = false;
  while (is_only && fscanf(file, "%ld", &process) == 1) {
    if (process == getpid()) is_in = true;
    else is_only = false;
  }
  fclose(file);
  return is_in && is_only;
}

ms_oom_sight ms_oom_look(void) {
  const char *path = ms_oom_kills_file();
  struct stat status;
  if (path == NULL || stat(path, &status) != 0) return (ms_oom_sight){0, 0, false};
  uint64_t group = ms_mix(status.st_ino ^ UINT64_C(0x9e3779b97f4a7c15), status.st_dev | 1) | 1;
  return (ms_oom_sight){count_in(path), group, is_alone(path)};
}

void ms_oom_note(ms_log *log) {
  ms_oom_sight sight = ms_oom_look();
  ms_last_words *words = ms_log_last_words(log);
  words->oom_kills = sight.kills;
  words->oom_group = sight.group;
  words->is_alone = sight.is_alone;
}

// Keeps a copy of the program beside its log: after a rebuild, the file at the program's path has another build id.
// A hard link costs less than a copy, but some linkers (mold) and tools (strip, cp) write into the existing file.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log_file.h"

// The name of a copy until it is complete.
static const char unfinished[] = ".unfinished";

typedef char build_name[2 * MS_BUILD_ID_LIMIT + 1];

// Linkers compute at least 8 bytes. A file with a shorter name may be the user's, and is never removed.
enum { shortest_build_id = 8 };

static bool put_build_name(const ms_log *log, build_name name) {
  if (log->build_id == NULL || log->build_id_size < shortest_build_id) return false;
  for (uint32_t i = 0; i < log->build_id_size; i++) {
    snprintf(name + 2 * i, 3, "%02x", log->build_id[i]);
  }
  return true;
}

static bool is_build_name(const char *name) {
  size_t size = strlen(name);
  return size >= 2 * shortest_build_id && size < sizeof(build_name) &&
         strspn(name, "0123456789abcdef") == size;
}

/// Opens the folder of the copies. Returns NULL if it cannot be created, or if another process changes it.
static DIR *open_builds(const char *log, const char *executable) {
  const char *log_name = strrchr(log, '/'), *program = strrchr(executable, '/');
  char path[PATH_MAX];
  int size = snprintf(path, sizeof path, "%.*s%s" MS_BUILDS_SUFFIX, log_name ? (int)(log_name + 1 - log) : 0, log,
                      program ? program + 1 : executable);
  if (size < 0 || (size_t)size >= sizeof path) return NULL;
  mkdir(path, 0700);
  int file = ms_above_standard(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (file < 0) return NULL;
  bool is_ours = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  DIR *builds = is_ours ? fdopendir(file) : NULL;
  if (builds == NULL) close(file);
  return builds;
}

static bool is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/// Removes the copies of other builds that were not used for the longest time, until at most `most` are left.
static void remove_oldest(DIR *builds, const build_name current, uint32_t most) {
  for (;;) {
    build_name oldest;
    struct timespec used = {0};
    uint32_t count = 0;
    rewinddir(builds);
    for (struct dirent *entry; (entry = readdir(builds)) != NULL;) {
      struct stat status;
      if (!is_build_name(entry->d_name) || strcmp(entry->d_name, current) == 0 ||
          fstatat(dirfd(builds), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
          !S_ISREG(status.st_mode)) {
        continue;
      }
      if (count++ == 0 || is_before(status.st_ctim, used)) {
        strcpy(oldest, entry->d_name);
        used = status.st_ctim;
      }
    }
    if (count <= most || unlinkat(dirfd(builds), oldest, 0) != 0) return;
  }
}

/// Copies the contents. On Btrfs and XFS, the copy shares the blocks of the program.
static bool copy_contents(int from, int to, uint64_t size) {
  while (size > 0) {
    ssize_t count = copy_file_range(from, NULL, to, NULL, size, 0);
    // The fallback copies between file systems, and where a filter denies the first call.
    if (count <= 0) count = sendfile(to, from, NULL, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    size -= (uint64_t)count;
  }
  return true;
}

/// Copies the program, unless the copy exists. The copy gets the program's modification time, by which the reader
/// detects newer source files. Its change time is the time of the last use.
static void copy_program(int program, int builds, const build_name name) {
  struct stat status, known;
  if (fstat(program, &status) != 0) return;
  struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, status.st_mtim};
  if (fstatat(builds, name, &known, AT_SYMLINK_NOFOLLOW) == 0 && known.st_size == status.st_size) {
    utimensat(builds, name, times, AT_SYMLINK_NOFOLLOW);
    return;
  }
  if (!ms_within_size_limit((uint64_t)status.st_size)) return;
  unlinkat(builds, unfinished, 0);
  int copy = ms_above_standard(
      openat(builds, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (copy < 0) return;
  bool is_whole = copy_contents(program, copy, (uint64_t)status.st_size) && futimens(copy, times) == 0;
  close(copy);
  if (!is_whole || renameat(builds, unfinished, builds, name) != 0) unlinkat(builds, unfinished, 0);
}

static void keep_program(ms_log *log, const char *path) {
  build_name name;
  const char *executable = log->header->identity.executable;
  if (path[0] == 0 || executable[0] == 0 || !put_build_name(log, name)) return;
  // The file that runs, even if another one is at its path by now.
  int program = ms_above_standard(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  if (program < 0) return;
  DIR *builds = open_builds(path, executable);
  if (builds) {
    remove_oldest(builds, name, log->keep);
    copy_program(program, dirfd(builds), name);
    closedir(builds);
  }
  close(program);
}

void ms_log_keep_program(ms_log *log, const char *path) {
  if (!ms_log_visit(log)) return;
  int state = ms_begin_uncancellable();
  keep_program(log, path);
  ms_end_uncancellable(state);
  ms_log_unvisit(log);
}

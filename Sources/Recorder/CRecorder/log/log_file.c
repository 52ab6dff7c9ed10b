#include "log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { lock_attempts = 1000, attempts_without_log = 2, lock_pause_ns = 2 * 1000 * 1000 };
enum { reserve_attempts = 3 };
enum { written_at_once = 64 * 1024 };
enum { onlooker_attempts = 100, onlooker_pause_ns = 2 * 1000 * 1000 };

typedef struct {
  char directory[PATH_MAX];
  char name[NAME_MAX + 1];
  char opening[NAME_MAX + 32];  // the temporary name of the new log until it is complete
} place;

static bool fail(ms_log_failure *failure, ms_open_result result, int number, uint64_t detail) {
  *failure = (ms_log_failure){result, number, detail};
  return false;
}

/// Splits a path. Returns 0, or the errno that describes why it cannot be the path of a file.
static int split(const char *path, place *parts) {
  const char *slash = strrchr(path, '/');
  size_t directory = slash ? (size_t)(slash - path) : 0;
  const char *name = slash ? slash + 1 : path;
  if (!*name) return slash ? EISDIR : ENOENT;
  if (directory >= sizeof parts->directory || strlen(name) >= sizeof parts->name) {
    return ENAMETOOLONG;
  }
  memcpy(parts->directory, path, directory);
  parts->directory[directory] = 0;
  if (slash == path) strcpy(parts->directory, "/");
  if (!slash) strcpy(parts->directory, ".");
  strcpy(parts->name, name);
  snprintf(parts->opening, sizeof parts->opening, ".%s.opening", name);
  return 0;
}

int ms_above_standard(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int number = errno;
  close(file);
  errno = number;
  return moved;
}

static bool is_being_opened(int directory, const place *parts) {
  return faccessat(directory, parts->opening, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Makes sure that one process at a time opens this log. Does not wait for a foreign process that holds the
/// directory's lock, or for one that opens another log. If directories cannot be locked, the locks of the logs
/// themselves exclude a second writer.
static void lock_directory(int directory, const place *parts) {
  for (int i = 0; i < lock_attempts && flock(directory, LOCK_EX | LOCK_NB) != 0; i++) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (i >= attempts_without_log && !is_being_opened(directory, parts)) return;
    nanosleep(&(struct timespec){0, lock_pause_ns}, NULL);
  }
}

static bool is_limit(int number) { return number == EMFILE || number == ENFILE; }

static int open_directory(const place *parts, ms_log_failure *failure) {
  int directory = ms_above_standard(open(parts->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory < 0) {
    fail(failure, is_limit(errno) ? MS_OPEN_CANNOT_CREATE : MS_OPEN_NO_DIRECTORY, errno, 0);
  }
  return directory;
}

bool ms_within_size_limit(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}

static int reserve_by_writing(int file, uint64_t capacity) {
  static const uint8_t zeros[written_at_once];
  for (uint64_t done = 0; done < capacity;) {
    uint64_t left = capacity - done;
    ssize_t wrote = pwrite(file, zeros, left < sizeof zeros ? left : sizeof zeros, (off_t)done);
    if (wrote < 0) return errno;
    done += (uint64_t)wrote;
  }
  return 0;
}

/// Reserves the file's blocks. Falls back to writing zeros, because some file systems do not support `fallocate`, and
/// some seccomp filters reject it.
static int reserve_blocks(int file, uint64_t capacity) {
  if (!ms_within_size_limit(capacity)) return EFBIG;
  if (fallocate(file, 0, 0, (off_t)capacity) == 0) return 0;
  bool is_refused = errno == EOPNOTSUPP || errno == ENOSYS || errno == EPERM || errno == EACCES;
  return is_refused ? reserve_by_writing(file, capacity) : errno;
}

/// Locks the file. If the file system has no locks, two processes may open the same log; each then has its own file,
/// because the earlier file is renamed. Another process's lock (EWOULDBLOCK) is a failure.
static bool lock_file(int file) {
  return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static bool is_same(int a, int b) {
  struct stat one, other;
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev;
}

static bool lock_and_map(ms_log *log, int file, uint64_t capacity, ms_log_failure *failure) {
  if (!lock_file(file)) return fail(failure, MS_OPEN_CANNOT_CREATE, errno, 0);
  void *memory = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return fail(failure, MS_OPEN_CANNOT_MAP, errno, 0);
  log->header = memory;
  // A child's mapping would hold the file's lock. If the kernel does not support this, the handler of `fork` unmaps
  // the file.
  madvise(memory, capacity, MADV_DONTFORK);
  return true;
}

/// Opens the file again, locks that descriptor and maps it: a child that another thread forked while blocks were
/// reserved has the first descriptor, but not the lock. No child is forked during this call.
static bool map_anew(ms_log *log, int directory, const place *parts, int reserved,
                     uint64_t capacity, ms_log_failure *failure) {
  ms_log_lock_registry();
  int file = ms_above_standard(openat(directory, parts->opening, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  int number = file < 0 ? errno : is_same(file, reserved) ? 0 : ESTALE;
  bool mapped = number == 0 ? lock_and_map(log, file, capacity, failure)
                            : fail(failure, MS_OPEN_CANNOT_CREATE, number, 0);
  if (file >= 0) close(file);
  ms_log_unlock_registry();
  return mapped;
}

static bool reserve_undisturbed(ms_log *log, int directory, const place *parts, uint64_t capacity,
                                ms_log_failure *failure) {
  // Removes the file of a process that was killed here. If the entry is of another kind, the next call fails.
  unlinkat(directory, parts->opening, 0);
  int file = ms_above_standard(openat(directory, parts->opening,
                                   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file < 0) return fail(failure, MS_OPEN_CANNOT_CREATE, errno, 0);
  int number = reserve_blocks(file, capacity);
  bool mapped = number == 0 ? map_anew(log, directory, parts, file, capacity, failure)
                            : fail(failure, MS_OPEN_CANNOT_RESERVE, number, 0);
  close(file);
  if (!mapped) unlinkat(directory, parts->opening, 0);
  return mapped;
}

/// Reserves the file with all signals blocked: a signal would interrupt the reservation, and a host's timer would do
/// so each time, because tmpfs releases all reserved blocks then.
static bool reserve_in(ms_log *log, int directory, const place *parts, uint64_t capacity,
                       ms_log_failure *failure) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &mask);
  bool reserved = reserve_undisturbed(log, directory, parts, capacity, failure);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  return reserved;
}

/// Returns true if a writer holds its exclusive lock. Tests by a shared lock, which does not conflict with the test
/// of another reader.
static bool is_locked(int file) {
  return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// Returns true if a process writes the log in `file`; `*writer` is its id, 0 if the header has none. A process that
/// is inspected as it dies, for example by `ps`, keeps its memory, and with it the lock, until the inspection ends. A
/// child that was forked while the log was opened has the lock until it executes its program.
static bool is_in_use(int file, uint32_t *writer) {
  ms_log_header header;
  *writer = 0;
  if (!is_locked(file)) return false;
  if (pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header) return true;
  if (header.identity.magic != MS_LOG_MAGIC) return true;
  *writer = header.identity.process;
  ms_process_sight sight = ms_process_look(&header.identity);
  bool is_ended =
      header.progress.ending == ms_ending_mark(header.identity.salt, MS_ENDING_CLEAN);
  if (sight == MS_PROCESS_DEAD) return false;
  if (sight == MS_PROCESS_LIVES && !is_ended) return true;
  for (int i = 0; i < onlooker_attempts; i++) {
    nanosleep(&(struct timespec){0, onlooker_pause_ns}, NULL);
    if (!is_locked(file)) return false;
  }
  return true;
}

/// Returns true if a recorder wrote the file. An empty or zeroed file is a log that never reached the disk, because
/// the machine crashed right after the log was opened.
static bool holds_a_log(int file) {
  static const uint8_t nothing[MS_LOG_HEADER_SIZE];
  uint8_t header[MS_LOG_HEADER_SIZE];
  uint64_t magic;
  ssize_t got = pread(file, header, sizeof header, 0);
  if (got == 0) return true;
  if (got < (ssize_t)sizeof magic) return false;
  memcpy(&magic, header, sizeof magic);
  return magic == MS_LOG_MAGIC ||
         (got == sizeof header && memcmp(header, nothing, sizeof header) == 0);
}

/// Returns true if the file may be renamed: only a log that no process writes.
static bool may_be_replaced(int file, ms_log_failure *failure) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(failure, MS_OPEN_NOT_REGULAR, 0, 0);
  }
  uint32_t writer;
  if (is_in_use(file, &writer)) return fail(failure, MS_OPEN_IN_USE, 0, writer);
  return holds_a_log(file) || fail(failure, MS_OPEN_NOT_A_LOG, 0, 0);
}

static bool check_earlier(int directory, const place *parts, bool *exists,
                          ms_log_failure *failure) {
  int file = ms_above_standard(
      openat(directory, parts->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  *exists = file >= 0;
  if (file < 0) {
    if (errno == ENOENT) return true;
    bool is_special = errno == ELOOP || errno == ENXIO;
    return fail(failure, is_limit(errno) ? MS_OPEN_CANNOT_CREATE
                         : is_special    ? MS_OPEN_NOT_REGULAR
                                         : MS_OPEN_CANNOT_KEEP, errno, 0);
  }
  bool may = may_be_replaced(file, failure);
  close(file);
  return may;
}

/// Returns the name of a kept log: breadcrumbs.log is kept as breadcrumbs.1.log, then breadcrumbs.2.log, …
static void kept_name(const char *name, uint32_t number, char *kept, size_t size) {
  const char *dot = strrchr(name, '.');
  int stem = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
  snprintf(kept, size, "%.*s.%u%s", stem, name, number, name + stem);
}

/// Returns the first unused number below `keep`, else `keep`, whose log is the oldest and is replaced.
static uint32_t first_free(int directory, const place *parts, uint32_t keep) {
  char kept[NAME_MAX + 16];
  for (uint32_t number = 1; number < keep; number++) {
    kept_name(parts->name, number, kept, sizeof kept);
    if (faccessat(directory, kept, F_OK, AT_SYMLINK_NOFOLLOW) != 0) return number;
  }
  return keep;
}

static bool keep_earlier(int directory, const place *parts, uint32_t keep,
                         ms_log_failure *failure) {
  char from[NAME_MAX + 16], to[NAME_MAX + 16];
  if (keep == 0) return true;
  for (uint32_t number = first_free(directory, parts, keep); number > 1; number--) {
    kept_name(parts->name, number - 1, from, sizeof from);
    kept_name(parts->name, number, to, sizeof to);
    if (renameat(directory, from, directory, to) != 0 && errno != ENOENT) {
      return fail(failure, MS_OPEN_CANNOT_KEEP, errno, 0);
    }
  }
  kept_name(parts->name, 1, to, sizeof to);
  if (renameat(directory, parts->name, directory, to) != 0) {
    return fail(failure, MS_OPEN_CANNOT_KEEP, errno, 0);
  }
  return true;
}

static void put_back(int directory, const place *parts) {
  char kept[NAME_MAX + 16];
  kept_name(parts->name, 1, kept, sizeof kept);
  renameat(directory, kept, directory, parts->name);
}

/// Returns true if another process that opens the log has replaced the reserved file by its own.
static bool was_replaced(const ms_log_failure *failure) {
  return failure->error_number == ESTALE || failure->error_number == ENOENT;
}

bool ms_log_file_reserve(ms_log *log, const ms_log_options *options, ms_log_failure *failure) {
  place parts;
  int number = split(options->path, &parts);
  if (number != 0) return fail(failure, MS_OPEN_CANNOT_CREATE, number, 0);
  int directory = open_directory(&parts, failure);
  if (directory < 0) return false;
  log->directory = directory;  // stays open, and so locked, until the log has its name
  for (int i = 1; i <= reserve_attempts; i++) {
    bool exists;
    lock_directory(directory, &parts);
    if (!check_earlier(directory, &parts, &exists, failure)) return false;
    lock_directory(directory, &parts);  // without this lock, another process may have started to open the log meanwhile
    if (reserve_in(log, directory, &parts, options->capacity, failure)) return true;
    if (!was_replaced(failure)) return false;
  }
  return false;
}

void ms_log_file_let_go(ms_log *log) {
  if (log->directory < 0) return;
  flock(log->directory, LOCK_UN);  // a child that was forked meanwhile shares the lock
  close(log->directory);
  log->directory = -1;
}

bool ms_log_file_publish(ms_log *log, const ms_log_options *options, ms_log_failure *failure) {
  place parts;
  bool exists;
  split(options->path, &parts);
  if (!check_earlier(log->directory, &parts, &exists, failure)) return false;
  if (exists && !keep_earlier(log->directory, &parts, options->keep, failure)) return false;
  if (renameat(log->directory, parts.opening, log->directory, parts.name) != 0) {
    int number = errno;
    if (exists && options->keep > 0) put_back(log->directory, &parts);
    return fail(failure, MS_OPEN_CANNOT_CREATE, number, 0);
  }
  if (options->survives_machine) fsync(log->directory);
  ms_log_file_let_go(log);
  return true;
}

void ms_log_file_discard(ms_log *log, const ms_log_options *options) {
  place parts;
  if (log->directory >= 0 && log->header && split(options->path, &parts) == 0) {
    unlinkat(log->directory, parts.opening, 0);
  }
}

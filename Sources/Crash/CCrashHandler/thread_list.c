// Reads /proc/self/task by system calls alone: the C library's `open` and `read` are cancellation points, at which a
// thread with a pending cancellation would leave its handler.

#include "thread_list.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRecorder.h"

typedef struct {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
} directory_entry;

static int open_read_only(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | flags);
}

static uint32_t number(const char *digits) {
  uint32_t value = 0;
  for (; *digits >= '0' && *digits <= '9'; digits++) value = value * 10 + (uint32_t)(*digits - '0');
  return value;
}

// --- The reserved descriptor

static struct {
  int file;
  dev_t device;
  ino_t inode;
} kept = {.file = -1};

static const char list[] = "/proc/self/task";

/// True if the reserved descriptor still refers to the list. A host that closes every descriptor closes this one too,
/// and its next file may get the same number.
static bool is_still_the_list(void) {
  struct stat now;
  return kept.file >= 0 && syscall(SYS_fstat, kept.file, &now) == 0 &&
         now.st_dev == kept.device && now.st_ino == kept.inode;
}

void ms_list_end(void) {
  if (is_still_the_list()) syscall(SYS_close, kept.file);
  kept.file = -1;
}

void ms_list_prepare(void) {
  enum { lowest = 3 };  // lower numbers belong to the standard streams, even if the host has closed them
  struct stat now;
  ms_list_end();
  int file = open_read_only(list, O_DIRECTORY);
  ms_fact_learned(MS_FACT_THREAD_LIST, file >= 0);
  if (file < 0) return;
  int higher = file < lowest ? (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, lowest) : file;
  if (higher != file) syscall(SYS_close, file);
  if (higher < 0 || syscall(SYS_fstat, higher, &now) != 0) return;
  kept.device = now.st_dev;
  kept.inode = now.st_ino;
  kept.file = higher;
}

// --- The list

static int open_list(void) {
  if (ms_fact_is_denied(MS_FACT_THREAD_LIST)) return -1;
  int directory = open_read_only(list, O_DIRECTORY);
  if (directory >= 0 || !is_still_the_list()) return directory;
  return syscall(SYS_lseek, kept.file, 0L, SEEK_SET) == 0 ? kept.file : -1;
}

bool ms_list_threads(uint32_t *threads, uint32_t capacity, uint32_t *found) {
  *found = 0;
  int directory = open_list();
  if (directory < 0) return false;
  _Alignas(8) char bytes[4096];
  uint32_t count = 0, existing = 0;
  long got;
  while ((got = syscall(SYS_getdents64, directory, bytes, sizeof bytes)) > 0) {
    for (long at = 0; at < got;) {
      const directory_entry *entry = (const directory_entry *)(bytes + at);
      uint32_t thread = number(entry->name);
      existing += thread != 0;
      if (thread && count < capacity) threads[count++] = thread;
      at += entry->size;
    }
  }
  if (directory != kept.file) syscall(SYS_close, directory);
  *found = count;
  return got == 0 && existing == count;
}

static void write_path(char *path, uint32_t thread) {
  static const char before[] = "/proc/self/task/", after[] = "/status";
  memcpy(path, before, sizeof before - 1);
  char digits[10];
  int count = 0;
  do digits[count++] = (char)('0' + thread % 10);
  while (thread /= 10);
  char *at = path + sizeof before - 1;
  while (count) *at++ = digits[--count];
  memcpy(at, after, sizeof after);
}

/// The value of a field of `status`; NULL if the field does not exist.
static const char *field(const char *status, const char *name) {
  size_t size = strlen(name);
  for (const char *line = status; *line;) {
    if (strncmp(line, name, size) == 0) return line + size;
    while (*line && *line != '\n') line++;
    if (*line) line++;
  }
  return NULL;
}

static uint64_t hexadecimal(const char *digits) {
  uint64_t value = 0;
  for (;; digits++) {
    if (*digits >= '0' && *digits <= '9') value = value << 4 | (uint64_t)(*digits - '0');
    else if (*digits >= 'a' && *digits <= 'f') value = value << 4 | (uint64_t)(*digits - 'a' + 10);
    else return value;
  }
}

static bool has_bit(const char *signals, int signal) {
  return signals && (hexadecimal(signals) >> (signal - 1) & 1);
}

ms_thread_status ms_thread_status_of(uint32_t thread, int signal) {
  ms_thread_status found;
  memset(&found, 0, sizeof found);
  char path[64], status[4096];
  write_path(path, thread);
  int file = open_read_only(path, 0);
  if (file < 0) {
    // The process may have no free descriptor.
    found.exists = syscall(SYS_tgkill, getpid(), thread, 0) == 0 || errno != ESRCH;
    return found;
  }
  long got = syscall(SYS_read, file, status, sizeof status - 1);
  syscall(SYS_close, file);
  if (got <= 0) return found;
  status[got] = 0;
  const char *name = field(status, "Name:\t");
  for (size_t i = 0; name && i < sizeof found.name - 1 && name[i] && name[i] != '\n'; i++) {
    found.name[i] = name[i];
  }
  // A thread that is being delivered a signal blocks it too, but no longer has it pending.
  found.blocks = has_bit(field(status, "SigBlk:\t"), signal) &&
                 has_bit(field(status, "SigPnd:\t"), signal);
  const char *blocked = field(status, "SigBlk:\t");
  found.blocked = blocked ? hexadecimal(blocked) : 0;
  const char *state = field(status, "State:\t");
  found.exists = state && *state != 'Z' && *state != 'X';
  return found;
}

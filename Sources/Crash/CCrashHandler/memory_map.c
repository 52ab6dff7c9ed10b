// Reads the files of /proc by system calls, because the C library's `open` and `read` are cancellation points. The calls
// name this thread and not the process: once the main thread has ended, the kernel shows no memory under the process's id.

#include "memory_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>

#include "crash.h"

enum { path_size = 16 };

enum { MAPS, PAGES };
static const char *const files[] = {"/proc/thread-self/maps", "/proc/thread-self/pagemap"};

static void close_file(ms_memory_walk *walk, int which) {
  if (walk->files[which] > 0) syscall(SYS_close, walk->files[which]);
  walk->files[which] = 0;
}

static bool open_file(ms_memory_walk *walk, int which) {
  close_file(walk, which);
  int file = (int)syscall(SYS_openat, AT_FDCWD, files[which], O_RDONLY | O_CLOEXEC);
  if (file >= 0 && file < 3) {
    // The standard descriptors belong to the host, even if the host has closed them.
    int moved = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 3);
    syscall(SYS_close, file);
    file = moved;
  }
  walk->files[which] = file < 0 ? 0 : file;
  return file > 0;
}

size_t ms_memory_read(uintptr_t address, void *copy, size_t size) {
  struct iovec from = {(void *)address, size}, to = {copy, size};
  long count = syscall(SYS_process_vm_readv, syscall(SYS_gettid), &to, 1L, &from, 1L, 0L);
  return count < 0 ? 0 : (size_t)count;
}

// --- The mappings: lines of `begin-end rights offset device inode path`

typedef struct {
  uintptr_t begin, end;
  char rights[5];
  char path[path_size];  // the first characters
} mapping;

static int next_byte(ms_memory_walk *walk) {
  if (walk->at == walk->filled) {
    long count;
    do count = syscall(SYS_read, walk->files[MAPS], walk->bytes, sizeof walk->bytes);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return -1;
    walk->at = 0;
    walk->filled = (size_t)count;
  }
  return (unsigned char)walk->bytes[walk->at++];
}

/// Reads a hexadecimal number and the character after it.
static uintptr_t next_number(ms_memory_walk *walk) {
  uintptr_t number = 0;
  for (;;) {
    int byte = next_byte(walk);
    if (byte >= '0' && byte <= '9') number = number << 4 | (uintptr_t)(byte - '0');
    else if (byte >= 'a' && byte <= 'f') number = number << 4 | (uintptr_t)(byte - 'a' + 10);
    else return number;
  }
}

static bool next_mapping(ms_memory_walk *walk, mapping *mapping) {
  mapping->begin = next_number(walk);
  mapping->end = next_number(walk);
  if (mapping->end <= mapping->begin) return false;
  for (int i = 0; i < 4; i++) mapping->rights[i] = (char)next_byte(walk);
  mapping->rights[4] = 0;
  // The line has one space before the offset, the device and the inode, and several before the path.
  int byte, fields = 0;
  size_t length = 0;
  while ((byte = next_byte(walk)) >= 0 && byte != '\n') {
    if (byte == ' ' && length == 0) {
      fields++;
    } else if (fields > 3 && length + 1 < path_size) {
      mapping->path[length++] = (char)byte;
    }
  }
  mapping->path[length] = 0;
  return true;
}

/// True for memory without a file. The program may have named it by `PR_SET_VMA_ANON_NAME`.
static bool holds_objects(const mapping *mapping) {
  if (mapping->rights[0] != 'r' || mapping->rights[1] != 'w' || mapping->rights[3] != 'p') return false;
  return mapping->path[0] == 0 || strncmp(mapping->path, "[heap]", 7) == 0 || strncmp(mapping->path, "[anon:", 6) == 0;
}

// --- The pages with content

static bool has_content(uint64_t page) {
  const uint64_t is_present = UINT64_C(1) << 63, is_swapped = UINT64_C(1) << 62;
  const uint64_t is_guard = UINT64_C(1) << 58;  // since Linux 6.15; before, a guard page looks like a swapped page
  return (page & (is_present | is_swapped)) != 0 && (page & is_guard) == 0;
}

enum { pages_at_once = sizeof((ms_memory_walk *)0)->pages / sizeof(uint64_t) };

/// The part of an object that may lie before the end of a range, if the object continues in the next range.
static size_t overlap(const ms_memory_walk *walk) { return walk->object_size - 16; }

static uintptr_t next_page(const ms_memory_walk *walk, uintptr_t address) {
  return (address / walk->page_size + 1) * walk->page_size;
}

typedef struct {
  const ms_memory_walk *walk;
  uintptr_t begin;
  size_t size;
  volatile size_t readable;  // bytes before the first unreadable page
} piece;

MS_UNCHECKED static void touch(void *argument) {
  piece *piece = argument;
  uintptr_t end = piece->begin + piece->size;
  for (uintptr_t at = piece->begin; at < end; at = next_page(piece->walk, at)) {
    piece->readable = at - piece->begin;
    (void)*(const volatile char *)at;
  }
  piece->readable = piece->size;
}

static void visit_in_place(void *argument) {
  const piece *piece = argument;
  piece->walk->visit(piece->begin, (const uintptr_t *)piece->begin, piece->readable, piece->walk->argument);
}

static size_t readable(ms_memory_walk *walk, piece *piece) {
  if (walk->recover == NULL) return ms_memory_read(piece->begin, walk->copy, piece->size);
  // Touching finds an unreadable page before any object is visited, so that no object is visited twice.
  walk->recover(touch, piece);
  return piece->readable;
}

/// Visits a piece of at most `MS_MEMORY_COPY` bytes, up to its first unreadable page. Returns the end of the bytes that
/// were visited or are unreadable.
static uintptr_t visit_piece(ms_memory_walk *walk, uintptr_t begin, size_t size) {
  piece piece = {walk, begin, size, 0};
  size_t count = readable(walk, &piece);
  if (count < walk->object_size) return next_page(walk, begin) + overlap(walk);
  if (walk->recover == NULL) walk->visit(begin, walk->copy, count, walk->argument);
  else if (!walk->recover(visit_in_place, &piece)) walk->unread += count;
  return begin + count;
}

static void visit(ms_memory_walk *walk, uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end && end - at >= walk->object_size;) {
    if (ms_now() >= walk->until) {
      walk->unread += end - at;
      return;
    }
    at = visit_piece(walk, at, end - at < MS_MEMORY_COPY ? end - at : MS_MEMORY_COPY) - overlap(walk);
  }
}

/// Visits the pages with content of a part of a mapping; pages without content are skipped, because a read would make the
/// kernel map them. `open` is the start of a range with content that reaches to `begin`, and the result the same for
/// `end`; 0 if there is no such range.
static uintptr_t visit_part(ms_memory_walk *walk, uintptr_t begin, uintptr_t end, uintptr_t open) {
  size_t count = (end - begin) / walk->page_size;
  long size = (long)(count * sizeof *walk->pages);
  bool is_known = walk->files[PAGES] > 0 && syscall(SYS_pread64, walk->files[PAGES], walk->pages, size,
                                                    begin / walk->page_size * sizeof *walk->pages) == size;
  for (size_t i = 0; i < count; i++) {
    uintptr_t page = begin + i * walk->page_size;
    if (!is_known || has_content(walk->pages[i])) {
      if (open == 0) open = page;
    } else if (open != 0) {
      visit(walk, open, page);
      open = 0;
    }
  }
  if (open == 0) return 0;
  visit(walk, open, end);
  return end - overlap(walk);
}

static void visit_mapping(ms_memory_walk *walk, const mapping *mapping) {
  uintptr_t open = 0, part = pages_at_once * walk->page_size;
  for (uintptr_t at = mapping->begin; at < mapping->end;) {
    if (ms_now() >= walk->until) {
      walk->unread += mapping->end - at;
      return;
    }
    uintptr_t end = mapping->end - at > part ? at + part : mapping->end;
    open = visit_part(walk, at, end, open);
    at = end;
  }
}

static bool visit_mappings(ms_memory_walk *walk, bool large) {
  static const uintptr_t smallest_large = UINT64_C(128) << 20;
  mapping mapping;
  walk->at = walk->filled = 0;
  if (!open_file(walk, MAPS)) return false;
  while (next_mapping(walk, &mapping)) {
    if (holds_objects(&mapping) && (mapping.end - mapping.begin >= smallest_large) == large) {
      visit_mapping(walk, &mapping);
    }
  }
  close_file(walk, MAPS);
  return true;
}

bool ms_memory_visit(ms_memory_walk *walk) {
  walk->unread = 0;
  walk->page_size = getauxval(AT_PAGESZ);
  open_file(walk, PAGES);
  bool is_listed = visit_mappings(walk, false) && visit_mappings(walk, true);
  close_file(walk, PAGES);
  return is_listed;
}

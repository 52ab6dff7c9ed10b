#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug_info.h"

/// Opens a regular file without blocking; returns -1 for any other file.
static int open_regular(const char *path) {
  struct stat status;
  // The type is checked before the file is opened, because opening a device may have side effects.
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  // The file may have been replaced since the check.
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/// Finds the split unit with the skeleton's id, and completes the unit with the skeleton's bases.
static bool find_half(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                      const ms_sections *sections, ms_debug_unit *half) {
  for (uint64_t at = 0, next; ms_unit_read_header(sections, at, half, &next); at = next) {
    ms_unit_top half_top;
    half->program = skeleton->program;
    half->low = skeleton->low;
    half->address_base = skeleton->address_base;
    half->ranges_base = top->split_ranges_base;
    bool may_be = half->type == DW_UT_split_compile || half->type == DW_UT_compile;
    if (may_be && half->entries < half->end &&
        ms_read_top(reader->builder, &reader->abbreviations, half, &half_top) &&
        half_top.tag == DW_TAG_compile_unit && half->split_id == skeleton->split_id)
      return true;
  }
  return false;
}

/// Reads the split unit in an open file; returns false if the file does not contain the unit.
static bool read_half(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                      int fd) {
  struct stat status;
  Elf *elf = fstat(fd, &status) == 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  if (!elf) return false;
  ms_sections sections;
  ms_sections_read(elf, fd, (uint64_t)status.st_size, MS_FILE_SPLIT, &sections);
  // A cache by entry address belongs either to the program or to the split file, never to both.
  ms_reader own = {.builder = reader->builder, .lines = reader->lines};
  ms_debug_unit half;
  bool found = find_half(&own, skeleton, top, &sections, &half);
  if (found) {
    own.units = &half;
    own.unit_count = 1;
    own.unit = &half;
    ms_read_scopes(&own);
  }
  reader->lines = own.lines;
  ms_abbreviations_free(&own.abbreviations);
  ms_abbreviations_free(&own.referred);
  ms_forget_names(&own.names);
  ms_sections_free(&sections);
  elf_end(elf);
  return found;
}

static bool read_half_at(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                         const char *path) {
  int fd = open_regular(path);
  if (fd < 0) return false;
  bool found = read_half(reader, skeleton, top, fd);
  close(fd);
  return found;
}

/// Reads the directory of an open file; returns false if the directory is unknown.
static bool directory_of(int fd, char *directory, size_t capacity) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, directory, capacity - 1);
  if (length <= 0) return false;
  directory[length] = 0;
  char *last = strrchr(directory, '/');
  if (last) *last = 0;
  return last != NULL;
}

bool ms_read_split(ms_reader *reader, const ms_debug_unit *skeleton, const ms_unit_top *top,
                   int fd) {
  const char *name = top->split_name, *home = top->home;
  if (name[0] == '/') return read_half_at(reader, skeleton, top, name);
  char directory[4096], path[12288];
  if (!directory_of(fd, directory, sizeof directory)) return false;
  // Next to the program first, because the split file may have been moved together with the program.
  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) return false;
  if (read_half_at(reader, skeleton, top, path)) return true;
  if (!home) return false;
  const char *root = home[0] == '/' ? "" : directory;
  if (snprintf(path, sizeof path, "%s/%s/%s", root, home, name) >= (int)sizeof path) return false;
  return read_half_at(reader, skeleton, top, path);
}

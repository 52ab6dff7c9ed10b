#include <dwarf.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "debug_info.h"

// MARK: Files and line rows

static const char *string_attribute(Dwarf_Die *entry, unsigned int code) {
  Dwarf_Attribute attribute;
  return dwarf_attr(entry, code, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

/// Interns a file's path; a relative one is relative to where the unit was compiled.
///
/// libdw puts the directories of the line table together, and in DWARF 5 leaves that one out.
static uint32_t intern_path(ms_unit_reader *reader, const char *path) {
  const char *directory = reader->directory;
  // The compiler's own code has a name in angle brackets, and no directory.
  const char *base = path ? strrchr(path, '/') : NULL;
  if (base && base[1] == '<') return ms_intern(reader->builder, base + 1);
  if (!path || path[0] == '<' || path[0] == '/' || !directory)
    return ms_intern(reader->builder, path);
  size_t length = strlen(directory);
  if (strncmp(path, directory, length) == 0 && path[length] == '/')
    return ms_intern(reader->builder, path);
  char joined[8192];
  const char *separator = length > 0 && directory[length - 1] == '/' ? "" : "/";
  int size = snprintf(joined, sizeof joined, "%s%s%s", directory, separator, path);
  return ms_intern(reader->builder, size < (int)sizeof joined ? joined : path);
}

uint32_t ms_unit_file(ms_unit_reader *reader, size_t index) {
  if (index >= reader->file_count) return MS_NONE;
  struct ms_file_name *name = &reader->file_names[index];
  if (name->unit != reader->unit) {
    name->text = intern_path(reader, dwarf_filesrc(reader->files, index, NULL, NULL));
    name->unit = reader->unit;
  }
  return name->text;
}

static void read_files(ms_unit_reader *reader, Dwarf_Die *unit) {
  reader->file_count = 0;
  reader->directory = string_attribute(unit, DW_AT_comp_dir);
  size_t count = 0;
  if (dwarf_getsrcfiles(unit, &reader->files, &count) != 0) return;
  if (count > reader->file_room) {
    struct ms_file_name *names = realloc(reader->file_names, count * sizeof *names);
    if (!names) return;
    memset(names + reader->file_room, 0, (count - reader->file_room) * sizeof *names);
    reader->file_names = names;
    reader->file_room = count;
  }
  reader->file_count = count;
}

static ms_line_row row_of(ms_unit_reader *reader, Dwarf_Line *line) {
  Dwarf_Files *files;
  Dwarf_Addr address = 0;
  bool ends = false;
  int number = 0, column = 0;
  size_t file = 0;
  dwarf_lineaddr(line, &address);
  dwarf_lineendsequence(line, &ends);
  dwarf_lineno(line, &number);
  dwarf_linecol(line, &column);
  if (dwarf_line_file(line, &files, &file) != 0) file = SIZE_MAX;
  return (ms_line_row){
      .address = address,
      .file = ms_unit_file(reader, file),
      .line = number > 0 ? (uint32_t)number : 0,
      .column = column > 0 ? (uint32_t)column : 0,
      .ends_sequence = ends,
  };
}

static void read_rows(ms_unit_reader *reader, Dwarf_Die *unit) {
  ms_builder *builder = reader->builder;
  Dwarf_Lines *lines = NULL;
  size_t count = 0;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) count = 0;
  if (count > 0 && lines == reader->lines) return;
  reader->lines = lines;
  reader->rows_begin = builder->tables->row_count;
  for (size_t i = 0; i < count && !builder->failed; i++)
    MS_APPEND(builder, rows, row_count, row_room, row_of(reader, dwarf_onesrcline(lines, i)));
  reader->rows_end = builder->tables->row_count;
}

// MARK: Split units

static bool is_regular_or_missing(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/// Whether libdw may look for a skeleton's other half: the paths it would open are regular files.
static bool may_open_split(Dwarf_Die *skeleton, int fd) {
  const char *name = string_attribute(skeleton, DW_AT_dwo_name);
  if (!name) name = string_attribute(skeleton, DW_AT_GNU_dwo_name);
  const char *unit_directory = string_attribute(skeleton, DW_AT_comp_dir);
  if (!name) return false;
  if (name[0] == '/') return is_regular_or_missing(name);

  char link[64], directory[4096], path[12288];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, directory, sizeof directory - 1);
  if (length <= 0) return false;
  directory[length] = 0;
  char *last = strrchr(directory, '/');
  if (!last) return false;
  *last = 0;

  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) return false;
  if (!is_regular_or_missing(path)) return false;
  if (!unit_directory) return true;
  const char *root = unit_directory[0] == '/' ? "" : directory;
  if (snprintf(path, sizeof path, "%s/%s/%s", root, unit_directory, name) >= (int)sizeof path)
    return false;
  return is_regular_or_missing(path);
}

// MARK: Units

/// Where the unit of a top entry ends in memory.
static const unsigned char *end_of(Dwarf_Die *top) {
  Dwarf_Off next, abbreviations;
  size_t header;
  Dwarf_Half version;
  uint8_t address_size, offset_size;
  Dwarf_Off offset = dwarf_dieoffset(top);
  if (dwarf_next_unit(dwarf_cu_getdwarf(top->cu), offset - dwarf_cuoffset(top), &next, &header,
                      &version, &abbreviations, &address_size, &offset_size, NULL, NULL) != 0)
    return top->addr;
  return (const unsigned char *)top->addr + (next - offset);
}

/// Appends the addresses that a unit claims; false when it claims none.
static bool read_unit_ranges(ms_builder *builder, Dwarf_Die *unit) {
  size_t before = builder->tables->range_count;
  Dwarf_Addr base, low, high;
  ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(unit, offset, &base, &low, &high)) > 0 && !builder->failed)
    if (low < high && ms_is_text(builder, low))
      MS_APPEND(builder, ranges, range_count, range_room, (ms_unit_range){low, high});
  return builder->tables->range_count > before;
}

static void read_unit(ms_unit_reader *reader, Dwarf_Die *unit, Dwarf_Die *scopes) {
  ms_builder *builder = reader->builder;
  reader->unit++;
  read_files(reader, unit);
  read_rows(reader, unit);
  ms_read_scopes(reader, scopes, end_of(scopes));
  ms_unit entry = {
      .rows_begin = reader->rows_begin,
      .rows_end = reader->rows_end,
      .ranges_end = builder->tables->range_count,
      .scope_ranges_end = builder->tables->scope_range_count,
  };
  MS_APPEND(builder, units, unit_count, unit_room, entry);
}

// MARK: The bounds of time and memory

static double seconds_of_cpu(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t heap_bytes(void) {
#ifdef __GLIBC__
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
#else
  return 0;
#endif
}

/// Where to stop: some hundred times above what real files take.
typedef struct {
  double seconds;
  size_t bytes;
} limits;

static limits limits_for(uint64_t file_size) {
  return (limits){
      .seconds = seconds_of_cpu() + 5 + (double)file_size / 2e6,
      .bytes = heap_bytes() + ((size_t)256 << 20) + (size_t)file_size * 32,
  };
}

void ms_read_units(ms_builder *builder, Dwarf *dwarf, int fd, uint64_t file_size) {
  ms_name_cache names = {0};
  ms_unit_reader reader = {.builder = builder, .names = &names};
  limits limits = limits_for(file_size);
  Dwarf_CU *unit = NULL;
  Dwarf_Half version;
  uint8_t type;
  Dwarf_Die top;
  while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &top, NULL) == 0 &&
         !builder->failed) {
    Dwarf_Die other = {0};
    bool has_code = (type == DW_UT_compile || type == DW_UT_skeleton) &&
                    read_unit_ranges(builder, &top);
    // The skeletons that refer to imported modules have no code: their other halves stay closed.
    if (has_code && type == DW_UT_compile) {
      read_unit(&reader, &top, &top);
    } else if (has_code) {
      bool split = may_open_split(&top, fd) &&
                   dwarf_cu_info(unit, NULL, NULL, NULL, &other, NULL, NULL, NULL) == 0 &&
                   dwarf_tag(&other) == DW_TAG_compile_unit;
      read_unit(&reader, &top, split ? &other : &top);
    }
    if (seconds_of_cpu() > limits.seconds || heap_bytes() > limits.bytes) builder->failed = true;
  }
  free(names.slots);
  free(reader.file_names);
}

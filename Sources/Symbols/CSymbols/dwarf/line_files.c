#include <stdio.h>
#include <stdlib.h>

#include "lines.h"

/// Interns a file's path. A relative path is relative to the compilation directory.
static uint32_t intern_path(ms_line_reader *reader, const char *path) {
  const char *home = reader->home;
  // Compiler-generated code has a name in angle brackets, and no directory.
  const char *base = strrchr(path, '/');
  if (base && base[1] == '<') return ms_intern(reader->builder, base + 1);
  if (path[0] == '<' || path[0] == '/' || !home) return ms_intern(reader->builder, path);
  size_t length = strlen(home);
  if (strncmp(path, home, length) == 0 && path[length] == '/')
    return ms_intern(reader->builder, path);
  char joined[8192];
  const char *separator = length > 0 && home[length - 1] == '/' ? "" : "/";
  int size = snprintf(joined, sizeof joined, "%s%s%s", home, separator, path);
  return ms_intern(reader->builder, size < (int)sizeof joined ? joined : path);
}

/// The directory with this number; NULL for the compilation directory.
static const char *directory_of(const ms_line_reader *reader, uint64_t number) {
  if (reader->version < 5) {
    if (number == 0) return NULL;
    number--;
  }
  return number < reader->directory_count ? reader->directories[number] : NULL;
}

static uint32_t text_of(ms_line_reader *reader, const ms_line_file *file) {
  if (!file->name) return MS_NONE;
  const char *directory = directory_of(reader, file->directory);
  if (file->name[0] == '/' || !directory || !*directory) return intern_path(reader, file->name);
  char path[8192];
  const char *separator = directory[strlen(directory) - 1] == '/' ? "" : "/";
  int size = snprintf(path, sizeof path, "%s%s%s", directory, separator, file->name);
  return intern_path(reader, size < (int)sizeof path ? path : file->name);
}

uint32_t ms_line_file_text(ms_line_reader *reader, uint64_t number) {
  if (reader->version < 5) number--;
  if (number >= reader->file_count) return MS_NONE;
  ms_line_file *file = &reader->files[number];
  if (!file->has_text) {
    file->text = text_of(reader, file);
    file->has_text = true;
  }
  return file->text;
}

void ms_lines_none(ms_line_reader *reader) {
  reader->at = NULL;
  reader->directory_count = reader->file_count = 0;
  reader->rows_begin = reader->rows_end = reader->builder->tables->row_count;
}

void ms_lines_free(ms_line_reader *reader) {
  free(reader->directories);
  free(reader->files);
}

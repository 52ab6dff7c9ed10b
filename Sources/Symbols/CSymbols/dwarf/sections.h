// Finds the symbol and debug sections of a file, and decompresses them.
#ifndef MS_SECTIONS_H
#define MS_SECTIONS_H

#include <libelf.h>

#include "bytes.h"

/// The sections that are read. The other sections, half of the debug information, are for debuggers only.
typedef enum {
  MS_INFO,
  MS_ABBREV,
  MS_LINE,
  MS_STR,
  MS_LINE_STR,
  MS_RANGES,
  MS_RNGLISTS,
  MS_ADDR,
  MS_STR_OFFSETS,
  MS_SYMBOLS,
  MS_SYMBOL_NAMES,
  MS_SECTION_COUNT,
} ms_section_kind;

/// A section's bytes; empty if the file has no such section.
typedef struct {
  const uint8_t *data;
  size_t size;
} ms_section;

/// A file's sections. libelf owns the decompressed sections.
typedef struct {
  ms_section of[MS_SECTION_COUNT];
  void *memory;
  size_t memory_size;
} ms_sections;

/// The kind of a file: a program or library, or a `.dwo` file, whose sections have names of their own.
typedef enum { MS_FILE_PROGRAM, MS_FILE_SPLIT } ms_file_kind;

/// Reads a file's sections.
void ms_sections_read(Elf *elf, int fd, uint64_t file_size, ms_file_kind kind,
                      ms_sections *sections);

void ms_sections_free(ms_sections *sections);

/// A section's bytes from an offset on; empty if the offset is outside of the section.
static inline ms_bytes ms_section_from(const ms_section *section, uint64_t offset) {
  if (offset >= section->size) return (ms_bytes){section->data, section->data, false};
  return (ms_bytes){section->data + offset, section->data + section->size, false};
}

/// The string at an offset of a string section; NULL if the offset is outside of the section.
static inline const char *ms_string_at(const ms_section *section, uint64_t offset) {
  return offset < section->size ? (const char *)section->data + offset : NULL;
}

#endif

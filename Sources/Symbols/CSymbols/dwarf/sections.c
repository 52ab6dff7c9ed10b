#include "sections.h"

#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>

// Compressed sections may expand to a thousand times their size.
static const uint64_t most_unfolded_bytes = (uint64_t)4 << 30;

/// A section in the file.
typedef struct {
  Elf_Scn *section;
  GElf_Shdr header;
  bool is_compressed;
} ms_found_section;

/// The kind of the section with this name; MS_SECTION_COUNT for a section that is not read.
static ms_section_kind kind_of(const char *name, ms_file_kind file) {
  static const char *const names[] = {
      [MS_INFO] = "info",         [MS_ABBREV] = "abbrev", [MS_LINE] = "line",
      [MS_STR] = "str",           [MS_RANGES] = "ranges", [MS_LINE_STR] = "line_str",
      [MS_RNGLISTS] = "rnglists", [MS_ADDR] = "addr",     [MS_STR_OFFSETS] = "str_offsets",
  };
  if (strncmp(name, ".debug_", 7) == 0) name += 7;
  else if (strncmp(name, ".zdebug_", 8) == 0) name += 8;
  else return MS_SECTION_COUNT;
  for (ms_section_kind kind = MS_INFO; kind <= MS_STR_OFFSETS; kind++) {
    size_t length = strlen(names[kind]);
    if (strncmp(name, names[kind], length) == 0 &&
        strcmp(name + length, file == MS_FILE_SPLIT ? ".dwo" : "") == 0)
      return kind;
  }
  return MS_SECTION_COUNT;
}

// MARK: Compressed sections

/// True if the name is that of a section in the GNU compression format, which preceded the standard format.
static bool is_gnu(const char *name) { return name[1] == 'z'; }

/// Reads the uncompressed size of a section in the GNU format: "ZLIB", then the size in big-endian order.
static bool gnu_size(Elf_Scn *section, uint64_t *size) {
  Elf_Data *data = elf_rawdata(section, NULL);
  if (!data || !data->d_buf || data->d_size < 12 || memcmp(data->d_buf, "ZLIB", 4) != 0)
    return false;
  *size = 0;
  for (int i = 4; i < 12; i++) *size = *size << 8 | ((const uint8_t *)data->d_buf)[i];
  return true;
}

/// Decompresses a section, as long as the total of all decompressed sections stays within the limit.
static ms_section unfold(const ms_found_section *found, uint64_t *unfolded) {
  bool gnu = !(found->header.sh_flags & SHF_COMPRESSED);
  GElf_Chdr compression;
  uint64_t size;
  if (gnu ? !gnu_size(found->section, &size) : !gelf_getchdr(found->section, &compression))
    return (ms_section){0};
  if (!gnu) size = compression.ch_size;
  if (size > most_unfolded_bytes - *unfolded) return (ms_section){0};
  *unfolded += size;
  int result =
      gnu ? elf_compress_gnu(found->section, 0, 0) : elf_compress(found->section, 0, 0);
  Elf_Data *data = result >= 0 ? elf_rawdata(found->section, NULL) : NULL;
  if (!data || !data->d_buf) return (ms_section){0};
  return (ms_section){data->d_buf, data->d_size};
}

// MARK: Uncompressed sections

/// Reads a part of a file; returns false if the file ends earlier.
static bool read_fully(int fd, uint8_t *to, uint64_t size, uint64_t offset) {
  while (size > 0) {
    ssize_t got = pread(fd, to, size, (off_t)offset);
    if (got <= 0) return false;
    to += got;
    size -= (uint64_t)got;
    offset += (uint64_t)got;
  }
  return true;
}

/// Reads the uncompressed sections into a single block of memory.
static void read_plain(ms_sections *sections, const ms_found_section *found, int fd) {
  uint64_t total = 0;
  for (int kind = 0; kind < MS_SECTION_COUNT; kind++)
    if (found[kind].section && !found[kind].is_compressed) total += found[kind].header.sh_size;
  if (total == 0 || total > PTRDIFF_MAX) return;
  // The file is read, not mapped: access to a mapped file that is truncated meanwhile would raise SIGBUS.
  void *memory =
      mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  sections->memory = memory;
  sections->memory_size = total;
  // The first access to each small page costs as much as reading the page.
  madvise(memory, total, MADV_HUGEPAGE);
  uint8_t *at = memory;
  for (int kind = 0; kind < MS_SECTION_COUNT; kind++) {
    const GElf_Shdr *header = &found[kind].header;
    if (!found[kind].section || found[kind].is_compressed) continue;
    if (!read_fully(fd, at, header->sh_size, header->sh_offset)) continue;
    sections->of[kind] = (ms_section){at, header->sh_size};
    at += header->sh_size;
  }
}

// MARK: All sections

/// Selects the symbol table: the full table, or otherwise the dynamic symbol table.
static void find_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                         ms_found_section *found) {
  Elf_Scn *names = elf_getscn(elf, header->sh_link);
  GElf_Shdr names_header;
  bool is_better = !found[MS_SYMBOLS].section || (header->sh_type == SHT_SYMTAB &&
                                                  found[MS_SYMBOLS].header.sh_type != SHT_SYMTAB);
  if (!is_better || !names || !gelf_getshdr(names, &names_header) ||
      names_header.sh_type != SHT_STRTAB)
    return;
  found[MS_SYMBOLS] = (ms_found_section){section, *header, false};
  found[MS_SYMBOL_NAMES] = (ms_found_section){names, names_header, false};
}

static void find(Elf *elf, uint64_t file_size, ms_file_kind file, ms_found_section *found) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) continue;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
      find_symbols(elf, section, &header, found);
    const char *name = elf_strptr(elf, names, header.sh_name);
    ms_section_kind kind = name ? kind_of(name, file) : MS_SECTION_COUNT;
    if (kind == MS_SECTION_COUNT || found[kind].section) continue;
    bool is_compressed = is_gnu(name) || header.sh_flags & SHF_COMPRESSED;
    found[kind] = (ms_found_section){section, header, is_compressed};
  }
  for (int kind = 0; kind < MS_SECTION_COUNT; kind++) {
    const GElf_Shdr *header = &found[kind].header;
    if (header->sh_offset > file_size || header->sh_size > file_size - header->sh_offset)
      found[kind].section = NULL;
  }
}

void ms_sections_read(Elf *elf, int fd, uint64_t file_size, ms_file_kind kind,
                      ms_sections *sections) {
  memset(sections, 0, sizeof *sections);
  ms_found_section found[MS_SECTION_COUNT] = {0};
  find(elf, file_size, kind, found);
  read_plain(sections, found, fd);
  uint64_t unfolded = 0;
  for (int i = 0; i < MS_SECTION_COUNT; i++)
    if (found[i].section && found[i].is_compressed) sections->of[i] = unfold(&found[i], &unfolded);
  // Sections are truncated after the last terminator, so that every offset inside is that of a terminated string.
  ms_section_kind strings[] = {MS_STR, MS_LINE_STR, MS_SYMBOL_NAMES};
  for (int i = 0; i < 3; i++) {
    ms_section *section = &sections->of[strings[i]];
    while (section->size > 0 && section->data[section->size - 1] != 0) section->size--;
  }
}

void ms_sections_free(ms_sections *sections) {
  if (sections->memory) munmap(sections->memory, sections->memory_size);
  *sections = (ms_sections){0};
}

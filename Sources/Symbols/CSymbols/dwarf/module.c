#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debug_info.h"
#include "symbols.h"

// Compressed sections may expand to a thousand times their size.
static const uint64_t most_unfolded_bytes = (uint64_t)4 << 30;

// The limit of a table's size, which grows in proportion to the file.
static const uint64_t largest_small_table = (uint64_t)64 << 20;

// The limit of work for small files, some hundred times that of real files; a step takes a few nanoseconds.
static const uint64_t least_work = (uint64_t)64 << 20;

static Elf *begin(int fd) {
  elf_version(EV_CURRENT);
  // The file is read, not mapped: access to a mapped file that is truncated meanwhile would raise SIGBUS.
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  if (!elf) return NULL;
  GElf_Ehdr header;
  const unsigned char native =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) &&
      header.e_ident[EI_DATA] == native &&
      (header.e_type == ET_EXEC || header.e_type == ET_DYN))
    return elf;
  elf_end(elf);
  return NULL;
}

static const char *section_name(Elf *elf, const GElf_Shdr *section) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0) return "";
  const char *name = elf_strptr(elf, names, section->sh_name);
  return name ? name : "";
}

static void copy_link(const char *name, char *to, size_t capacity) {
  if (name && strlen(name) < capacity) strcpy(to, name);
}

/// True if a file has debug information that can be read without any other file, and decompressed within the limits.
static bool has_debug_info(Elf *elf) {
  bool found = false;
  uint64_t unfolded = 0;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) continue;
    const char *name = section_name(elf, &header);
    if (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")) found = true;
    // libdw would open the file that this section names.
    if (!strcmp(name, ".gnu_debugaltlink")) return false;
    GElf_Chdr compression;
    if (header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compression))
      unfolded += compression.ch_size > most_unfolded_bytes ? most_unfolded_bytes + 1
                                                            : compression.ch_size;
  }
  return found && unfolded <= most_unfolded_bytes;
}

bool ms_module_read_facts(int fd, ms_module_facts *facts) {
  memset(facts, 0, sizeof *facts);
  Elf *elf = begin(fd);
  if (!elf) return false;
  const void *id;
  ssize_t length = dwelf_elf_gnu_build_id(elf, &id);
  if (length > 0 && (size_t)length <= sizeof facts->build_id) {
    memcpy(facts->build_id, id, (size_t)length);
    facts->build_id_length = (uint32_t)length;
  }
  GElf_Word checksum;
  copy_link(dwelf_elf_gnu_debuglink(elf, &checksum), facts->debug_link, sizeof facts->debug_link);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) continue;
    if (header.sh_type == SHT_SYMTAB) facts->has_symbol_table = true;
    if (header.sh_type == SHT_DYNSYM) facts->has_dynamic_symbols = true;
  }
  facts->has_debug_info = has_debug_info(elf);
  elf_end(elf);
  return true;
}

static void read_text_bounds(ms_tables *tables, Elf *elf) {
  tables->text_low = UINT64_MAX;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR)) continue;
    uint64_t end = header.sh_addr + header.sh_size;
    if (!(header.sh_flags & SHF_ALLOC) || end < header.sh_addr) continue;
    if (header.sh_addr < tables->text_low) tables->text_low = header.sh_addr;
    if (end > tables->text_high) tables->text_high = end;
  }
}

// MARK: Debug information

static void read_all(ms_builder *builder, Elf *elf, int fd, uint64_t file_size) {
  ms_sections sections;
  ms_sections_read(elf, fd, file_size, MS_FILE_PROGRAM, &sections);
  ms_read_symbols(builder, elf, &sections);
  if (has_debug_info(elf)) ms_read_units(builder, &sections, fd);
  ms_sections_free(&sections);
}

ms_tables_result ms_tables_read(int fd, ms_tables *tables) {
  memset(tables, 0, sizeof *tables);
  struct stat status;
  Elf *elf = fstat(fd, &status) == 0 ? begin(fd) : NULL;
  if (!elf) return MS_TABLES_NOT_ELF;
  uint64_t file_size = (uint64_t)status.st_size;
  uint64_t most = largest_small_table + file_size * 16;
  ms_builder builder = {
      .tables = tables,
      // Offsets in the pool and indices of scopes have 32 bits.
      .largest_table = most < UINT32_MAX ? (size_t)most : UINT32_MAX,
      .work_left = least_work + file_size * 64,
  };
  // An interned text, so that the pool is never empty.
  ms_intern(&builder, "?");
  read_text_bounds(tables, elf);
  read_all(&builder, elf, fd, file_size);
  elf_end(elf);
  free(builder.map.slots);
  return builder.failed ? MS_TABLES_TOO_LARGE : MS_TABLES_READ;
}

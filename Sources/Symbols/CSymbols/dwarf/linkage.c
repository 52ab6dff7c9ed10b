#include "ms_linkage.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/// Appends room for an element to an array; NULL if memory ran out.
static void *append(void **array, size_t *count, size_t element) {
  // The array grows whenever its count reaches a power of two.
  if ((*count & (*count - 1)) == 0) {
    void *grown = realloc(*array, (*count ? *count * 2 : 1) * element);
    if (!grown) return NULL;
    *array = grown;
  }
  return (char *)*array + (*count)++ * element;
}

static bool read_section(ms_linkage *linkage, Elf_Scn *section, const GElf_Shdr *header) {
  if (!(header->sh_flags & SHF_ALLOC) || header->sh_type == SHT_NOBITS) return true;
  Elf_Data *data = elf_rawdata(section, NULL);
  if (!data || !data->d_buf) return true;
  ms_loaded_section *loaded =
      append((void **)&linkage->sections, &linkage->section_count, sizeof *loaded);
  if (!loaded) return false;
  *loaded = (ms_loaded_section){header->sh_addr, data->d_buf, data->d_size,
                                (header->sh_flags & SHF_EXECINSTR) != 0};
  return true;
}

static bool read_symbols(ms_linkage *linkage, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) continue;
    int type = GELF_ST_TYPE(symbol.st_info);
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (!name || !*name) continue;
    ms_defined_symbol *defined =
        append((void **)&linkage->symbols, &linkage->symbol_count, sizeof *defined);
    if (!defined) return false;
    *defined = (ms_defined_symbol){symbol.st_value, symbol.st_size, name, type == STT_FUNC};
  }
  return true;
}

/// True if the value of a relocation is the address of a symbol plus the addend.
static bool is_symbolic(uint16_t machine, uint32_t type) {
  if (machine == EM_X86_64)
    return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT;
  return type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT;
}

static bool is_relative(uint16_t machine, uint32_t type) {
  return type == (machine == EM_X86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE);
}

static bool read_relocations(ms_linkage *linkage, Elf *elf, Elf_Scn *section,
                             const GElf_Shdr *header) {
  Elf_Scn *table = elf_getscn(elf, header->sh_link);
  GElf_Shdr table_header = {0};
  Elf_Data *symbols =
      table && gelf_getshdr(table, &table_header) ? elf_getdata(table, NULL) : NULL;
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
    GElf_Rela relocation;
    if (!gelf_getrela(data, (int)i, &relocation)) continue;
    uint32_t type = (uint32_t)GELF_R_TYPE(relocation.r_info);
    ms_relocated_word word = {relocation.r_offset, NULL, (uint64_t)relocation.r_addend};
    GElf_Sym symbol;
    if (is_symbolic(linkage->machine, type) && symbols &&
        gelf_getsym(symbols, (int)GELF_R_SYM(relocation.r_info), &symbol)) {
      if (symbol.st_shndx == SHN_UNDEF)
        word.name = elf_strptr(elf, table_header.sh_link, symbol.st_name);
      else word.value += symbol.st_value;
    } else if (!is_relative(linkage->machine, type)) {
      continue;
    }
    ms_relocated_word *added =
        append((void **)&linkage->words, &linkage->word_count, sizeof *added);
    if (!added) return false;
    *added = word;
  }
  return true;
}

static bool read_libraries(ms_linkage *linkage, Elf *elf, Elf_Scn *section,
                           const GElf_Shdr *header) {
  Elf_Data *data = elf_getdata(section, NULL);
  size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
  for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
    GElf_Dyn entry;
    if (!gelf_getdyn(data, (int)i, &entry)) continue;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RUNPATH && entry.d_tag != DT_RPATH) continue;
    const char *text = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
    if (!text) continue;
    if (entry.d_tag != DT_NEEDED) {
      linkage->library_path = text;
      continue;
    }
    const char **name =
        append((void **)&linkage->libraries, &linkage->library_count, sizeof *name);
    if (!name) return false;
    *name = text;
  }
  return true;
}

static int by_address(uint64_t left, uint64_t right) { return left < right ? -1 : left > right; }

static int compare_sections(const void *left, const void *right) {
  return by_address(((const ms_loaded_section *)left)->address,
                    ((const ms_loaded_section *)right)->address);
}

/// Orders symbols by their address; at one address, functions come first, and larger symbols before smaller ones.
static int compare_symbols(const void *left, const void *right) {
  const ms_defined_symbol *one = left, *other = right;
  int order = by_address(one->address, other->address);
  if (order == 0) order = other->is_function - one->is_function;
  if (order == 0) order = by_address(other->size, one->size);
  return order ? order : strcmp(one->name, other->name);
}

static int compare_words(const void *left, const void *right) {
  return by_address(((const ms_relocated_word *)left)->address,
                    ((const ms_relocated_word *)right)->address);
}

static void sort(void *array, size_t count, size_t element,
                 int (*compare)(const void *, const void *)) {
  if (count > 1) qsort(array, count, element, compare);
}

static bool read(ms_linkage *linkage, Elf *elf) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header)) continue;
    bool is_symbols = header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM;
    if (!read_section(linkage, section, &header)) return false;
    if (is_symbols && !read_symbols(linkage, elf, section, &header)) return false;
    if (header.sh_type == SHT_DYNAMIC && !read_libraries(linkage, elf, section, &header))
      return false;
    if (header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC &&
        !read_relocations(linkage, elf, section, &header))
      return false;
  }
  return true;
}

bool ms_linkage_read(int fd, ms_linkage *linkage) {
  *linkage = (ms_linkage){0};
  elf_version(EV_CURRENT);
  // The file is read, not mapped: access to a mapped file that is truncated meanwhile would raise SIGBUS.
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  if (!elf) return false;
  linkage->elf = elf;
  GElf_Ehdr header;
  const unsigned char native =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) &&
      header.e_ident[EI_DATA] == native &&
      (header.e_type == ET_EXEC || header.e_type == ET_DYN)) {
    linkage->machine = header.e_machine;
    if (read(linkage, elf)) {
      sort(linkage->sections, linkage->section_count, sizeof *linkage->sections, compare_sections);
      sort(linkage->symbols, linkage->symbol_count, sizeof *linkage->symbols, compare_symbols);
      sort(linkage->words, linkage->word_count, sizeof *linkage->words, compare_words);
      return true;
    }
  }
  ms_linkage_free(linkage);
  return false;
}

void ms_linkage_free(ms_linkage *linkage) {
  free(linkage->sections);
  free(linkage->symbols);
  free(linkage->words);
  free(linkage->libraries);
  if (linkage->elf) elf_end(linkage->elf);
  *linkage = (ms_linkage){0};
}

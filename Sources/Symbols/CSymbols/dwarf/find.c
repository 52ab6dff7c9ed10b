#include <gelf.h>
#include <string.h>

#include "ms_dwarf.h"

/// Stores the values of the wanted names that `section`, a symbol table, defines.
static void find_in(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *const *names,
                    size_t name_count, uint64_t *values) {
  Elf_Data *data = elf_getdata(section, NULL);
  if (!data || header->sh_entsize == 0 || data->d_size / header->sh_entsize > INT32_MAX) return;
  int count = (int)(data->d_size / header->sh_entsize);
  for (int i = 0; i < count; i++) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF || symbol.st_name == 0)
      continue;
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (!name) continue;
    for (size_t wanted = 0; wanted < name_count; wanted++)
      if (values[wanted] == UINT64_MAX && strcmp(name, names[wanted]) == 0)
        values[wanted] = symbol.st_value;
  }
}

void ms_symbols_find(int fd, const char *const *names, size_t name_count, uint64_t *values) {
  for (size_t i = 0; i < name_count; i++) values[i] = UINT64_MAX;
  if (elf_version(EV_CURRENT) == EV_NONE) return;
  // The file is read, not mapped: access to a mapped file that is truncated meanwhile would raise SIGBUS.
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  if (!elf) return;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) &&
        (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
      find_in(elf, section, &header, names, name_count, values);
  }
  elf_end(elf);
}

#include "program_symbols.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *bytes;
  size_t size;
} elf_file;

static const void *part(elf_file file, uint64_t offset, uint64_t size) {
  return offset <= file.size && size <= file.size - offset ? file.bytes + offset : NULL;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(uintptr_t *)base = info->dlpi_addr;  // the program comes first
  return 1;
}

static size_t find(elf_file file, const ElfW(Shdr) *table, const ElfW(Shdr) *names, uintptr_t base,
                   ms_symbol *symbols, size_t count) {
  size_t found = 0;
  size_t number = table->sh_size / sizeof(ElfW(Sym));
  const ElfW(Sym) *all = part(file, table->sh_offset, table->sh_size);
  const char *texts = part(file, names->sh_offset, names->sh_size);
  if (!all || !texts || names->sh_size == 0 || texts[names->sh_size - 1] != 0) return 0;
  for (size_t i = 0; i < number && found < count; i++) {
    if (all[i].st_name >= names->sh_size || all[i].st_shndx == SHN_UNDEF) continue;
    for (size_t s = 0; s < count; s++) {
      if (symbols[s].address || strcmp(texts + all[i].st_name, symbols[s].name) != 0) continue;
      symbols[s].address = base + all[i].st_value;
      symbols[s].size = all[i].st_size;
      found++;
    }
  }
  return found;
}

static bool find_in(elf_file file, ms_symbol *symbols, size_t count) {
  const ElfW(Ehdr) *header = part(file, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(ElfW(Shdr))) {
    return false;
  }
  const ElfW(Shdr) *sections = part(file, header->e_shoff, header->e_shnum * sizeof *sections);
  uintptr_t base = 0;
  dl_iterate_phdr(first_object, &base);
  for (size_t i = 0; sections && i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    return find(file, &sections[i], &sections[sections[i].sh_link], base, symbols, count) == count;
  }
  return false;
}

bool ms_program_symbols(ms_symbol *symbols, size_t count) {
  int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool found = false;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
    elf_file file = {NULL, (size_t)status.st_size};
    void *bytes = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      file.bytes = bytes;
      found = find_in(file, symbols, count);
      munmap(bytes, file.size);
    }
  }
  if (descriptor >= 0) close(descriptor);
  return found;
}

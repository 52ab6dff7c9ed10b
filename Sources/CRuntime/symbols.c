// The names of functions that a module does not export: the loader knows nothing of them, but the
// file's own symbol table does, where it was not stripped.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CRuntime.h"

#if defined(__linux__) && defined(__LP64__)

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const uint8_t *bytes;
  size_t size;
} file_view;

/// `count` things of `size` bytes at `offset`; NULL where the file ends before.
static const void *part(file_view file, uint64_t offset, uint64_t count, uint64_t size) {
  if (size == 0 || offset > file.size || count > (file.size - offset) / size) return NULL;
  return file.bytes + offset;
}

static void copy_name(file_view strings, uint32_t at, char *name, size_t room) {
  if (at >= strings.size) return;
  size_t length = strnlen((const char *)strings.bytes + at, strings.size - at);
  if (length >= room) length = room - 1;
  memcpy(name, strings.bytes + at, length);
  name[length] = 0;
}

/// The function around `address` in one table of symbols.
static bool search(file_view file, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                   uint64_t address, char *name, size_t room) {
  uint64_t count = table->sh_size / sizeof(Elf64_Sym);
  const Elf64_Sym *symbols = part(file, table->sh_offset, count, sizeof(Elf64_Sym));
  const uint8_t *texts = part(file, strings->sh_offset, strings->sh_size, 1);
  if (symbols == NULL || texts == NULL) return false;
  for (uint64_t i = 0; i < count; i++) {
    if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC || symbols[i].st_shndx == SHN_UNDEF ||
        address < symbols[i].st_value || address - symbols[i].st_value >= symbols[i].st_size) {
      continue;
    }
    copy_name((file_view){texts, strings->sh_size}, symbols[i].st_name, name, room);
    return name[0] != 0;
  }
  return false;
}

/// Addresses in the file begin where its first segment does: 0 but for programs linked to a place.
static uint64_t first_address(file_view file, const Elf64_Ehdr *head) {
  const Elf64_Phdr *segments = part(file, head->e_phoff, head->e_phnum, sizeof(Elf64_Phdr));
  for (int i = 0; segments && i < head->e_phnum; i++) {
    if (segments[i].p_type == PT_LOAD) return segments[i].p_vaddr - segments[i].p_offset;
  }
  return 0;
}

static bool name_in(file_view file, uintptr_t offset, char *name, size_t room) {
  const Elf64_Ehdr *head = part(file, 0, 1, sizeof(Elf64_Ehdr));
  if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_ident[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  const Elf64_Shdr *sections = part(file, head->e_shoff, head->e_shnum, sizeof(Elf64_Shdr));
  uint64_t address = first_address(file, head) + offset;
  for (int i = 0; sections && i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    if (search(file, &sections[i], &sections[sections[i].sh_link], address, name, room)) {
      return true;
    }
  }
  return false;
}

/// The file that is mapped around `base`; the program itself is known to the loader by the name it
/// was called by, which need not be a path.
static int open_module(const char *path, uintptr_t base) {
  Dl_info program;
  bool is_program = dladdr((void *)getauxval(AT_PHDR), &program) != 0 &&
                    (uintptr_t)program.dli_fbase == base;
  return open(is_program ? "/proc/self/exe" : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool ms_code_hidden_name(ms_code_place place, uintptr_t address, char *name, size_t room) {
  if (place.module == NULL || room == 0) return false;
  name[0] = 0;
  int file = open_module(place.module, place.base);
  if (file < 0) return false;
  struct stat status;
  void *bytes = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (bytes == MAP_FAILED) return false;
  file_view view = {bytes, (size_t)status.st_size};
  bool found = name_in(view, address - place.base, name, room);
  munmap(bytes, (size_t)status.st_size);
  return found;
}

#else

bool ms_code_hidden_name(ms_code_place place, uintptr_t address, char *name, size_t room) {
  (void)place, (void)address, (void)name, (void)room;
  return false;
}

#endif

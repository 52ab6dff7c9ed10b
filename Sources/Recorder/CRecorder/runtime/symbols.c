#include "ms_symbols.h"

#if defined(__linux__) && defined(__LP64__)

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const uint8_t *bytes;
  size_t size;
} file_view;

/// A function that is called for each symbol that a file defines; returns true to end the search.
typedef bool (*visitor)(const ElfW(Sym) *symbol, const char *name, void *context);

/// Returns `count` elements of `size` bytes at `offset`; NULL if they exceed the file.
static const void *part(file_view file, uint64_t offset, uint64_t count, uint64_t size) {
  if (offset > file.size || count > (file.size - offset) / size) return NULL;
  return file.bytes + offset;
}

static bool visit_table(file_view file, const ElfW(Shdr) *table, const ElfW(Shdr) *strings,
                        visitor visit, void *context) {
  uint64_t count = table->sh_size / sizeof(ElfW(Sym));
  const ElfW(Sym) *symbols = part(file, table->sh_offset, count, sizeof(ElfW(Sym)));
  const char *names = part(file, strings->sh_offset, strings->sh_size, 1);
  if (!symbols || !names || strings->sh_size == 0 || names[strings->sh_size - 1] != 0) return false;
  for (uint64_t i = 0; i < count; i++) {
    bool is_defined = symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < strings->sh_size;
    if (is_defined && visit(&symbols[i], names + symbols[i].st_name, context)) return true;
  }
  return false;
}

static bool visit_tables(file_view file, visitor visit, void *context) {
  const ElfW(Ehdr) *header = part(file, 0, 1, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(ElfW(Shdr))) {
    return false;
  }
  const ElfW(Shdr) *sections = part(file, header->e_shoff, header->e_shnum, sizeof *sections);
  for (int i = 0; sections && i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    if (visit_table(file, &sections[i], &sections[sections[i].sh_link], visit, context)) return true;
  }
  return false;
}

/// Maps a file and visits its symbols.
///
/// - Parameter path: Empty for the program, whose name need not be a path.
static bool visit_file(const char *path, visitor visit, void *context) {
  int descriptor = open(*path ? path : "/proc/self/exe", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct stat status;
  bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  size_t size = is_file ? (size_t)status.st_size : 0;
  void *bytes = is_file ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  close(descriptor);
  if (bytes == MAP_FAILED) return false;
  bool found = visit_tables((file_view){bytes, size}, visit, context);
  munmap(bytes, size);
  return found;
}

// --- The loader's records

static void *record_of(const void *address, int flags) {
  Dl_info info;
  void *record = NULL;
  return dladdr1(address, &info, &record, flags) ? record : NULL;
}

const struct link_map *ms_symbol_module(const void *address) { return record_of(address, RTLD_DL_LINKMAP); }

uint64_t ms_symbol_size(const void *function) {
  const ElfW(Sym) *symbol = record_of(function, RTLD_DL_SYMENT);
  return symbol ? symbol->st_size : 0;
}

// --- Finding the name of an address

typedef struct {
  uint64_t address;  // relative to the load address
  char *name;
  size_t room;
} named;

static bool take_name(const ElfW(Sym) *symbol, const char *name, void *context) {
  const named *wanted = context;
  if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || wanted->address < symbol->st_value ||
      wanted->address - symbol->st_value >= symbol->st_size) {
    return false;
  }
  strncpy(wanted->name, name, wanted->room - 1);
  wanted->name[wanted->room - 1] = 0;
  return wanted->name[0] != 0;
}

bool ms_symbol_around(uintptr_t address, char *name, size_t room) {
  const struct link_map *map = ms_symbol_module((const void *)address);
  if (room == 0 || !map) return false;
  return visit_file(map->l_name, take_name, &(named){address - map->l_addr, name, room});
}

// --- Finding the addresses of names

typedef struct {
  ms_symbol *symbols;
  size_t count, found;
  uintptr_t bias;
} addressed;

static bool take_address(const ElfW(Sym) *symbol, const char *name, void *context) {
  addressed *wanted = context;
  for (size_t i = 0; i < wanted->count; i++) {
    ms_symbol *one = &wanted->symbols[i];
    if (one->address || strcmp(name, one->name) != 0) continue;
    one->address = wanted->bias + symbol->st_value;
    one->size = symbol->st_size;
    wanted->found++;
  }
  return wanted->found == wanted->count;
}

static int take_bias(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  return 1;  // the program is the first object
}

bool ms_symbols_of_program(ms_symbol *symbols, size_t count) {
  addressed wanted = {symbols, count, 0, 0};
  dl_iterate_phdr(take_bias, &wanted.bias);
  return visit_file("", take_address, &wanted);
}
#else
const struct link_map *ms_symbol_module(const void *address) {
  (void)address;
  return NULL;
}

uint64_t ms_symbol_size(const void *function) {
  (void)function;
  return 0;
}

bool ms_symbol_around(uintptr_t address, char *name, size_t room) {
  (void)address, (void)name, (void)room;
  return false;
}

bool ms_symbols_of_program(ms_symbol *symbols, size_t count) {
  (void)symbols, (void)count;
  return false;
}
#endif

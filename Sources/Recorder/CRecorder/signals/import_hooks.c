// Replaces single entries of modules' import tables.
//
// A module calls a function of another module through its own table, which has an entry for each imported name. The
// change affects the calls of that module only, and no library has to come first in the link order.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "import_hooks.h"

#if defined(__x86_64__)
enum { by_call = R_X86_64_JUMP_SLOT, by_address = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { by_call = R_AARCH64_JUMP_SLOT, by_address = R_AARCH64_GLOB_DAT };
#endif

typedef struct {
  const ElfW(Rela) *entries;
  size_t count;
} relocations;

typedef struct {
  uintptr_t base;
  uintptr_t sealed, sealed_end;  // made read-only by the loader after relocation
  relocations tables[2];
  const ElfW(Sym) *symbols;
  const char *names;
} module;

/// Returns a value of the dynamic section as an address. The loader relocates these values in place, but not in every
/// module.
static uintptr_t address_in(uintptr_t base, uintptr_t value) {
  return value < base ? base + value : value;
}

static void read_dynamic(module *found, const ElfW(Dyn) *entry) {
  for (; entry->d_tag != DT_NULL; entry++) {
    uintptr_t address = address_in(found->base, entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_JMPREL: found->tables[0].entries = (const ElfW(Rela) *)address; break;
      case DT_PLTRELSZ: found->tables[0].count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_RELA: found->tables[1].entries = (const ElfW(Rela) *)address; break;
      case DT_RELASZ: found->tables[1].count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_SYMTAB: found->symbols = (const ElfW(Sym) *)address; break;
      case DT_STRTAB: found->names = (const char *)address; break;
      default: break;
    }
  }
}

static bool read_module(const struct dl_phdr_info *info, module *found) {
  memset(found, 0, sizeof *found);
  found->base = info->dlpi_addr;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = found->base + part->p_vaddr;
    if (part->p_type == PT_DYNAMIC) read_dynamic(found, (const ElfW(Dyn) *)start);
    if (part->p_type == PT_GNU_RELRO) {
      found->sealed = start;
      found->sealed_end = start + part->p_memsz;
    }
  }
  return found->symbols && found->names;
}

/// Returns the entry for `name` that follows `last`, or the first one if `last` is NULL.
static const ElfW(Rela) *next_import(const module *in, const char *name, const ElfW(Rela) *last) {
  for (unsigned t = 0; t < 2; t++) {
    const ElfW(Rela) *entry = in->tables[t].entries, *end = entry + in->tables[t].count;
    if (last) {
      if (last < entry || last >= end) continue;
      entry = last + 1;
      last = NULL;
    }
    for (; entry < end; entry++) {
      unsigned type = ELF64_R_TYPE(entry->r_info);
      if (type != by_call && type != by_address) continue;
      const ElfW(Sym) *symbol = &in->symbols[ELF64_R_SYM(entry->r_info)];
      if (strcmp(in->names + symbol->st_name, name) == 0) return entry;
    }
  }
  return NULL;
}

/// Stores a value in an entry. Returns false if the entry is sealed and its page cannot be made writable, for example
/// because of a seccomp filter.
static bool store(const module *in, void *_Atomic *slot, void *value) {
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)slot & ~(size - 1);
  // If only a part of the last page is to be sealed, the loader leaves the whole page writable.
  bool is_sealed = page >= (in->sealed & ~(size - 1)) && page < (in->sealed_end & ~(size - 1));
  if (is_sealed && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = value;
  if (is_sealed) mprotect((void *)page, size, PROT_READ);
  return true;
}

typedef struct {
  const char *beside;
  uintptr_t inside;
  const ms_import_hook *functions;
  unsigned count;
  bool begins;
  unsigned found, refused;
} change;

static void change_function(const module *in, const ms_import_hook *function, change *wanted) {
  void *then = wanted->begins ? function->ours : *function->real;
  const ElfW(Rela) *entry = NULL;
  while ((entry = next_import(in, function->name, entry))) {
    void *_Atomic *slot = (void *_Atomic *)(in->base + entry->r_offset);
    if (!wanted->begins && *slot != function->ours) continue;
    if (store(in, slot, then)) {
      wanted->found++;
    } else {
      wanted->refused++;
    }
  }
}

static bool contains(const struct dl_phdr_info *info, uintptr_t address) {
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && address - start < part->p_memsz) return true;
  }
  return false;
}

static int change_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  change *wanted = context;
  module in;
  if (wanted->inside && !contains(info, wanted->inside)) return 0;
  if (!read_module(info, &in)) return 0;
  if (wanted->beside && next_import(&in, wanted->beside, NULL) == NULL) return 0;
  for (unsigned i = 0; i < wanted->count; i++) {
    change_function(&in, &wanted->functions[i], wanted);
  }
  return 0;
}

unsigned ms_import_hooks_change(const char *beside, const ms_import_hook *functions, unsigned count,
                             bool begins) {
  change wanted = {beside, 0, functions, count, begins, 0, 0};
  dl_iterate_phdr(change_module, &wanted);
  return wanted.found;
}

unsigned ms_import_hooks_change_inside(const void *inside, const ms_import_hook *functions, unsigned count,
                                    bool begins) {
  change wanted = {NULL, (uintptr_t)inside, functions, count, begins, 0, 0};
  if (inside) dl_iterate_phdr(change_module, &wanted);
  if (!begins || wanted.refused == 0) return wanted.found;
  wanted.begins = false;
  dl_iterate_phdr(change_module, &wanted);
  return 0;
}

typedef struct {
  uintptr_t library;
  bool is_apart;
} search;

static int tell_apart(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *wanted = context;
  if (!contains(info, wanted->library)) return 0;
  // The program, and the library that contains this code, also call these functions for their own purposes.
  wanted->is_apart = info->dlpi_name[0] != 0 && !contains(info, (uintptr_t)tell_apart);
  return 1;
}

const void *ms_library_defining(const char *defines) {
  void *address = dlsym(RTLD_DEFAULT, defines);
  search wanted = {(uintptr_t)address, false};
  if (address) dl_iterate_phdr(tell_apart, &wanted);
  return wanted.is_apart ? address : NULL;
}

bool ms_import_hooks_find(const ms_import_hook *functions, unsigned count) {
  bool all = true;
  for (unsigned i = 0; i < count; i++) {
    void *found = dlsym(RTLD_DEFAULT, functions[i].name);
    if (found) __atomic_store_n(functions[i].real, found, __ATOMIC_RELAXED);
    all = all && found;
  }
  return all;
}

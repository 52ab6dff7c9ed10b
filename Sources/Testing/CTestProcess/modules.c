#include <elf.h>
#include <link.h>
#include <string.h>

#include "CTestProcess.h"

typedef struct {
  ms_loaded_module *modules;
  size_t capacity;
  size_t count;
} list;

static void copy_build_id(ms_loaded_module *module, const uint8_t *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)notes;
    size_t name = (note->n_namesz + 3u) & ~(size_t)3;
    size_t whole = sizeof *note + name + ((note->n_descsz + 3u) & ~(size_t)3);
    if (whole > size) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        memcmp(notes + sizeof *note, "GNU", 4) == 0 && note->n_descsz <= sizeof module->build_id) {
      memcpy(module->build_id, notes + sizeof *note + name, note->n_descsz);
      module->build_id_size = note->n_descsz;
    }
    notes += whole;
    size -= whole;
  }
}

static void copy(ms_loaded_module *module, const struct dl_phdr_info *info) {
  module->path = strdup(info->dlpi_name);
  module->bias = info->dlpi_addr;
  module->text_start = module->text_end = 0;
  module->build_id_size = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_NOTE) copy_build_id(module, (const uint8_t *)start, header->p_memsz);
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    if (module->text_start == 0) module->text_start = start;
    module->text_end = start + header->p_memsz;
  }
}

static int visit(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  list *list = argument;
  if (list->count < list->capacity) copy(&list->modules[list->count], info);
  list->count += 1;
  return 0;
}

size_t ms_copy_loaded_modules(ms_loaded_module *modules, size_t capacity) {
  list list = {modules, capacity, 0};
  dl_iterate_phdr(visit, &list);
  return list.count;
}

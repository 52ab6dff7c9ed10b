#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "CTestProcess.h"

typedef struct {
  void (*body)(void *context, const ms_loaded_module *module);
  void *context;
} visitor;

static void find_build_id(ms_loaded_module *module, const uint8_t *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *note = (const void *)notes;
    size_t name = (note->n_namesz + 3u) & ~(size_t)3;
    size_t whole = sizeof *note + name + ((note->n_descsz + 3u) & ~(size_t)3);
    if (whole > size) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        memcmp(notes + sizeof *note, "GNU", 4) == 0) {
      module->build_id = notes + sizeof *note + name;
      module->build_id_size = note->n_descsz;
    }
    notes += whole;
    size -= whole;
  }
}

static int visit(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  const visitor *visitor = argument;
  ms_loaded_module module = {.path = info->dlpi_name, .bias = info->dlpi_addr};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    uintptr_t end = start + header->p_memsz;
    if (header->p_type == PT_NOTE) find_build_id(&module, (const uint8_t *)start, header->p_memsz);
    if (header->p_type != PT_LOAD) continue;
    if (end > module.end) module.end = end;
    if (!(header->p_flags & PF_X)) continue;
    if (module.text_start == 0) module.text_start = start;
    module.text_end = end;
  }
  if (module.text_start != 0) visitor->body(visitor->context, &module);
  return 0;
}

void ms_each_loaded_module(void (*body)(void *context, const ms_loaded_module *module),
                           void *context) {
  visitor visitor = {body, context};
  dl_iterate_phdr(visit, &visitor);
}

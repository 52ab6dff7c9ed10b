#include "ms_module.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "ms_facts.h"

// Not sanitizer-instrumented, because stack walks in signal handlers call these functions.
#ifdef __clang__
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)
#endif

#ifdef DLFO_STRUCT_HAS_EH_DBASE  // glibc 2.35 has _dl_find_object
// Weak, because a program that was built with a newer glibc may run with an older one.
extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

bool ms_module_has_index(void) { return _dl_find_object && !ms_fact_is_denied(MS_FACT_LOADER_INDEX); }

bool ms_module_at(uintptr_t address, ms_module *module) {
  struct dl_find_object object;
  if (!ms_module_has_index() || _dl_find_object((void *)address, &object) != 0) return false;
  *module = (ms_module){object.dlfo_link_map->l_addr, object.dlfo_link_map->l_name, object.dlfo_link_map,
                        object.dlfo_map_start, object.dlfo_map_end, object.dlfo_eh_frame};
  return true;
}
#else
bool ms_module_has_index(void) { return false; }

bool ms_module_at(uintptr_t address, ms_module *module) {
  (void)address, (void)module;
  return false;
}
#endif

static bool is_header(const void *start) { return memcmp(start, ELFMAG, SELFMAG) == 0; }

/// Returns the ELF header, which is in the first segment; if a module's segments have gaps between them, the index
/// finds each segment separately.
static const ElfW(Ehdr) *header_of(const ms_module *module) {
  if (is_header(module->start)) return (const ElfW(Ehdr) *)module->start;
  ms_module first;
  bool is_mapped = ms_module_at(module->bias, &first) && first.link_map == module->link_map;
  return is_mapped && is_header((const void *)module->bias) ? (const ElfW(Ehdr) *)module->bias : NULL;
}

const void *ms_module_headers(const ms_module *module, size_t *count) {
  const ElfW(Ehdr) *header = header_of(module);
  *count = header ? header->e_phnum : 0;
  return header ? (const uint8_t *)header + header->e_phoff : NULL;
}

const char *ms_module_file_at(uintptr_t address, uintptr_t *offset) {
  ms_module module;
  if (!ms_module_at(address, &module)) return NULL;
  *offset = address - module.bias;
  const char *slash = strrchr(module.path, '/');
  return slash ? slash + 1 : module.path;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

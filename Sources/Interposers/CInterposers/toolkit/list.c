#include "list.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CRecorder.h"

extern const ms_toolkit_list mainstay_toolkit_list __attribute__((weak, visibility("default")));

static const ms_toolkit_list *list;

static const void *at(int64_t place) { return (const char *)list + place; }

bool ms_toolkit_list_start(void) {
  if (&mainstay_toolkit_list == NULL || mainstay_toolkit_list.layout != MS_TOOLKIT_LAYOUT) return false;
  list = &mainstay_toolkit_list;
  return true;
}

const ms_toolkit_function *ms_toolkit_function_of(const ms_toolkit_entry *entry) {
  return (const ms_toolkit_function *)at(list->functions) + entry->number;
}

const ms_toolkit_kit *ms_toolkit_kit_at(uint32_t toolkit) {
  return (const ms_toolkit_kit *)at(list->kits) + toolkit;
}

uint32_t ms_toolkit_kit_count(void) { return list ? list->kit_count : 0; }
const char *ms_toolkit_text(uint32_t place) { return (const char *)at(list->texts) + place; }

ms_toolkit_entry *ms_toolkit_entry_named(const char *name) {
  const ms_toolkit_function *functions = list ? at(list->functions) : NULL;
  for (uint32_t low = 0, high = list ? list->function_count : 0; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(name, ms_toolkit_text(functions[middle].name));
    if (order == 0) return (ms_toolkit_entry *)at(list->entries) + middle;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

void *ms_toolkit_front(const ms_toolkit_entry *entry) {
  return (char *)at(list->code) + (size_t)entry->number * MS_TOOLKIT_CODE_SIZE;
}

// --- Lookups by the loader

ms_dlsym ms_real_dlsym(void) {
  static _Atomic(ms_dlsym) known;
  ms_dlsym real = atomic_load_explicit(&known, memory_order_acquire);
  if (real) return real;
  // The oldest version of `dlsym` on each architecture; newer C libraries keep it in addition to a newer version.
  const char *versions[] = {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"};
  for (size_t i = 0; i < sizeof versions / sizeof *versions && !real; i++) {
    real = (ms_dlsym)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  }
  atomic_store_explicit(&known, real, memory_order_release);
  return real;
}

void *ms_toolkit_find(const char *library, const char *name) {
  void *found = ms_real_dlsym()(RTLD_NEXT, name);
  if (found) return found;
  // `dlopen` keeps the library loaded, because functions found in it are called later.
  void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  return handle ? ms_real_dlsym()(handle, name) : NULL;
}

_Noreturn void ms_toolkit_end_without(const char *name) {
  char line[256];
  int size = snprintf(line, sizeof line, "mainstay: %s was called, but no loaded library defines this function\n", name);
  if (size > 0 && write(STDERR_FILENO, line, strnlen(line, sizeof line)) < 0) _exit(127);
  _exit(127);
}

void *ms_toolkit_real(ms_toolkit_entry *entry) {
  void *real = atomic_load_explicit(&entry->real, memory_order_acquire);
  if (real) return real;
  const ms_toolkit_function *function = ms_toolkit_function_of(entry);
  const char *name = ms_toolkit_text(function->name);
  const char *library = ms_toolkit_text(ms_toolkit_kit_at(function->toolkit)->libraries);
  // Functions that are judged by their object belong to GObject, which may be loaded before the toolkit.
  bool is_of_objects = function->kind == MS_TOOLKIT_CALL_ON || function->kind == MS_TOOLKIT_NEW_OF;
  if (is_of_objects) real = ms_toolkit_find("libgobject-2.0.so.0", name);
  while (*library && !real) {
    char path[256];
    size_t size = strcspn(library, "\n");
    snprintf(path, sizeof path, "%.*s", (int)size, library);
    real = ms_toolkit_find(path, name);
    library += size + (library[size] == '\n');
  }
  if (real) atomic_store_explicit(&entry->real, real, memory_order_release);
  return real;
}

const char *ms_toolkit_file_of(uintptr_t address, uintptr_t *offset) {
  Dl_info info;
  if (ms_module_has_index()) return ms_module_file_at(address, offset);
  if (!dladdr((void *)address, &info)) return NULL;
  *offset = address - (uintptr_t)info.dli_fbase;
  const char *slash = strrchr(info.dli_fname, '/');
  return slash ? slash + 1 : info.dli_fname;
}

bool ms_toolkit_is_within(const ms_toolkit_kit *kit, uintptr_t address) {
  uintptr_t offset;
  const char *file = ms_toolkit_file_of(address, &offset), *library = ms_toolkit_text(kit->libraries);
  size_t size = file ? strlen(file) : 0;
  while (size && *library) {
    size_t length = strcspn(library, "\n");
    // `libgtk-3.so.0` also matches the file `libgtk-3.so.0.2404.32`.
    if (size >= length && strncmp(file, library, length) == 0 && (file[length] == 0 || file[length] == '.')) return true;
    library += length + (library[length] == '\n');
  }
  return false;
}

#include "allow_list.h"

#include <string.h>

bool ms_allow_list_add(ms_allow_list *list, const char *name) {
  uint32_t place = atomic_fetch_add(&list->count, 1);
  if (place >= MS_MOST_ALLOWED) return false;
  atomic_store(&list->texts[place], name);
  return true;
}

static bool has(const ms_allow_list *list, const char *name, bool may_have_version) {
  uint32_t count = atomic_load(&list->count);
  for (uint32_t i = 0; i < count && i < MS_MOST_ALLOWED; i++) {
    const char *text = atomic_load(&list->texts[i]);
    size_t size = text ? strlen(text) : 0;
    if (!text || strncmp(name, text, size) != 0) continue;
    if (name[size] == 0 || (may_have_version && name[size] == '.')) return true;
  }
  return false;
}

bool ms_allow_list_has(const ms_allow_list *list, const char *name) { return has(list, name, false); }
bool ms_allow_list_has_file(const ms_allow_list *list, const char *file) { return has(list, file, true); }

#include "objects.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "CRecorder.h"
#include "list.h"

// An instance begins with a pointer to its class, and the class begins with its type.

static const char gobject[] = "libgobject-2.0.so.0";

static struct {
  _Atomic(void *) is_a, from_name, name;
} known;

static void *find(_Atomic(void *) *place, const char *function) {
  void *found = atomic_load(place);
  if (!found) {
    found = ms_toolkit_find(gobject, function);
    atomic_store(place, found);
  }
  return found;
}

bool ms_toolkit_is_type_of(const ms_toolkit_kit *kit, uintptr_t type) {
  int (*is_a)(uintptr_t, uintptr_t) = (int (*)(uintptr_t, uintptr_t))find(&known.is_a, "g_type_is_a");
  uintptr_t (*from_name)(const char *) = (uintptr_t(*)(const char *))find(&known.from_name, "g_type_from_name");
  if (!is_a || !from_name || !kit->type || !type) return false;
  // 0 until the toolkit has registered the type.
  uintptr_t wanted = from_name(ms_toolkit_text(kit->type));
  return wanted && is_a(type, wanted);
}

static uintptr_t type_of(uintptr_t instance) {
  if (!instance || instance % sizeof(void *) || !ms_is_readable(instance)) return 0;
  uintptr_t class = *(const uintptr_t *)instance;
  if (!class || class % sizeof(void *) || !ms_is_readable(class)) return 0;
  return *(const uintptr_t *)class;
}

bool ms_toolkit_is_object_of(const ms_toolkit_kit *kit, uintptr_t instance) {
  return ms_toolkit_is_type_of(kit, type_of(instance));
}

void ms_toolkit_describe(const ms_toolkit_kit *kit, uintptr_t instance, char type[64], char name[64]) {
  type[0] = name[0] = 0;
  uintptr_t found = type_of(instance);
  const char *(*type_name)(uintptr_t) = (const char *(*)(uintptr_t))find(&known.name, "g_type_name");
  const char *text = found && type_name ? type_name(found) : NULL;
  if (!text) return;
  snprintf(type, 64, "%s", text);
  if (!kit->naming || !ms_toolkit_is_type_of(kit, found)) return;
  ms_toolkit_entry *naming = ms_toolkit_entry_named(ms_toolkit_text(kit->naming));
  const char *(*name_of)(uintptr_t) = naming ? (const char *(*)(uintptr_t))ms_toolkit_real(naming) : NULL;
  text = name_of ? name_of(instance) : NULL;
  // An object without a name of its own returns the name of its type.
  if (text && strcmp(text, type) != 0) snprintf(name, 64, "%s", text);
}

#include "engine.h"
#include "row.h"
#include "ms_facts.h"

#if MS_HAS_RULES
#include <link.h>
#include <string.h>

// Objects loaded at program start are never unloaded. An object that was opened later can be unloaded, and another
// object can take its addresses. The permanent objects are the program and its transitive dependencies (DT_NEEDED).
// Presence in the loader's list is not sufficient, because a constructor may have opened the object.
enum { most_objects = 512 };

static struct {
  const void *maps[most_objects];  // sorted, and constant once `count` is stored
  _Atomic uint32_t count;
} permanent;

MS_WALKS_BEGIN

bool ms_object_is_permanent(const void *map) {
  uint32_t count = atomic_load_explicit(&permanent.count, memory_order_acquire);
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (permanent.maps[middle] < map) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && permanent.maps[low] == map;
}

MS_WALKS_END

typedef struct {
  const struct link_map *maps[most_objects];
  const char *names[most_objects];  // the SONAME, or the file name without an SONAME
  bool needed[most_objects];
  uint32_t count;
} loaded_objects;

// Returns the string table of an object. glibc relocates the table's address in place, unless the dynamic section is
// read-only. A static program has no dynamic section.
static const char *strings_of(const struct link_map *map) {
  for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag != DT_STRTAB) continue;
    uintptr_t address = entry->d_un.d_ptr;
    return (const char *)(address < map->l_addr ? address + map->l_addr : address);
  }
  return NULL;
}

static const char *name_of(const struct link_map *map) {
  const char *strings = strings_of(map);
  for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SONAME) return strings + entry->d_un.d_val;
  }
  const char *slash = strrchr(map->l_name, '/');
  return slash == NULL ? map->l_name : slash + 1;
}

// Marks the object with this name. The loader's list is in loading order, so the first object with the name is the
// dependency.
static void mark_named(loaded_objects *objects, const char *name) {
  const char *slash = strrchr(name, '/');
  if (slash != NULL) name = slash + 1;
  for (uint32_t index = 0; index < objects->count; index++) {
    if (strcmp(objects->names[index], name) != 0) continue;
    objects->needed[index] = true;
    return;
  }
}

static void mark_needs_of(loaded_objects *objects, const struct link_map *map) {
  const char *strings = strings_of(map);
  for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_NEEDED) mark_named(objects, strings + entry->d_un.d_val);
  }
}

static void mark_all_needed(loaded_objects *objects) {
  bool done[most_objects] = {false};
  objects->needed[0] = true;  // the program itself
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t index = 0; index < objects->count; index++) {
      if (!objects->needed[index] || done[index]) continue;
      mark_needs_of(objects, objects->maps[index]);
      done[index] = changed = true;
    }
  }
}

static uint32_t insert(uint32_t count, const void *map) {
  uint32_t place = count;
  for (; place > 0 && permanent.maps[place - 1] > map; place--) {
    permanent.maps[place] = permanent.maps[place - 1];
  }
  permanent.maps[place] = map;
  return count + 1;
}

// Callback for the first object only: `dl_iterate_phdr` is used to hold the loader's lock.
static int learn_under_lock(struct dl_phdr_info *info, size_t size, void *nothing) {
  (void)info, (void)size, (void)nothing;
  static loaded_objects objects;
  uint32_t count = 0;
  for (struct link_map *map = _r_debug.r_map; map != NULL; map = map->l_next) {
    if (objects.count == most_objects) break;
    objects.maps[objects.count] = map;
    objects.names[objects.count++] = name_of(map);
  }
  if (!ms_fact_learned(MS_FACT_PERMANENT_OBJECTS, objects.count > 0)) return 1;
  mark_all_needed(&objects);
  for (uint32_t index = 0; index < objects.count; index++) {
    if (objects.needed[index]) count = insert(count, objects.maps[index]);
  }
  atomic_store_explicit(&permanent.count, count, memory_order_release);
  return 1;
}

void ms_permanent_objects_learn(void) {
  if (atomic_load_explicit(&permanent.count, memory_order_acquire) == 0) {
    dl_iterate_phdr(learn_under_lock, NULL);
  }
}
#endif

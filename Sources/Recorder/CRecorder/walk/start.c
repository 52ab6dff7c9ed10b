#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "ms_facts.h"
#include "ms_module.h"
#include "rule.h"
#include "row.h"

_Atomic bool ms_libunwind_is_forced;

static const char *reason = "ms_walk_start was not called: each walk looks up its unwind rules";

static bool environment_forces_libunwind(void) {
  const char *value = getenv("MAINSTAY_WALK");
  return value != NULL && strcmp(value, "libunwind") == 0;
}

#if MS_HAS_RULES
// Checks that a walk can leave this function's own object. The unwinder finds no unwind information in a program that
// was linked without .eh_frame_hdr.
static bool own_object_has_rules(void) {
  ms_row row;
  bool permanent;
  return ms_row_find((uintptr_t)&own_object_has_rules, &row, &permanent) == MS_COVERED;
}

static const char *choose(void) {
  if (environment_forces_libunwind()) return "MAINSTAY_WALK=libunwind";
  if (!own_object_has_rules()) return "this program has no .eh_frame_hdr section";
  return NULL;
}

// Makes a first walk, which binds symbols and faults in pages.
static void warm_up(void) {
  uintptr_t frames[64];
  ms_walk_end end;
  ms_walk_forget_rules();
  ms_walk_here(frames, 64, 0, &end);
}
#else
static const char *choose(void) {
  if (environment_forces_libunwind()) return "MAINSTAY_WALK=libunwind";
  return "the unwinder does not support this platform";
}
#endif

static const char *choose_or_do_without(void) {
  const char *libunwind_reason = choose();
  if (libunwind_reason == NULL || ms_libunwind_load()) return libunwind_reason;
  return "no unwind rules were found, and libunwind.so.8 could not be loaded: stacks are empty";
}

void ms_walk_start(void) {
  ms_fact_learned(MS_FACT_LOADER_INDEX, ms_module_has_index());
  const char *libunwind_reason = choose_or_do_without();
  atomic_store_explicit(&ms_libunwind_is_forced, libunwind_reason != NULL, memory_order_relaxed);
  reason = libunwind_reason;
#if MS_HAS_RULES
  ms_permanent_objects_learn();
  if (libunwind_reason == NULL) {
    warm_up();
    reason = "unwind information found by the loader's lock-free index";
  }
#endif
}

bool ms_walk_code_stays(uintptr_t address) {
#if MS_HAS_RULES
  ms_module module;
  return ms_module_at(address, &module) && ms_object_is_permanent(module.link_map);
#else
  (void)address;
  return false;
#endif
}

ms_walk_engine ms_walk_engine_in_use(void) {
  return ms_uses_libunwind() ? MS_WALK_LIBUNWIND : MS_WALK_RULES;
}

const char *ms_walk_engine_reason(void) { return reason; }

#include "judge.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "../shared/allow_list.h"
#include "CRecorder.h"
#include "tail_jumps.h"
#include "list.h"
#include "objects.h"
#include "owner.h"
#include "sites.h"
#include "call_report.h"

uint8_t ms_toolkit_has_xsave;

static _Atomic bool looks;
static _Atomic int policy;
// True while this thread judges a call, because calls by this library are not judged.
static __thread bool judges __attribute__((tls_model("initial-exec")));
// The last violating call: its function, its return address, and the stack position of the return address.
static __thread struct {
  ms_toolkit_entry *entry;
  uintptr_t caller;
  const uintptr_t *place;
} last __attribute__((tls_model("initial-exec")));

// --- Allowed calls

static ms_allow_list allowed_calls, allowed_libraries;

bool ms_toolkit_allow(const char *line) {
  bool is_call = strncmp(line, "call ", 5) == 0;
  if (!is_call && strncmp(line, "library ", 8) != 0) return false;
  return ms_allow_list_add(is_call ? &allowed_calls : &allowed_libraries, strchr(line, ' ') + 1);
}

/// True if a caller is code of an allowed library.
static bool is_of_allowed_library(const uintptr_t *frames, uint32_t count) {
  for (uint32_t i = 0; atomic_load(&allowed_libraries.count) && i < count; i++) {
    uintptr_t offset;
    const char *file = ms_toolkit_file_of(frames[i] - 1, &offset);
    if (file && ms_allow_list_has_file(&allowed_libraries, file)) return true;
  }
  return false;
}

// --- Judging

static bool concerns_owner(const ms_toolkit_function *function, uintptr_t argument) {
  const ms_toolkit_kit *kit = ms_toolkit_kit_at(function->toolkit);
  switch ((ms_toolkit_kind)function->kind) {
    case MS_TOOLKIT_CALL: return true;
    case MS_TOOLKIT_CALL_ON: return ms_toolkit_is_object_of(kit, argument);
    case MS_TOOLKIT_NEW_OF: return ms_toolkit_is_type_of(kit, argument);
    case MS_TOOLKIT_LOCK:
    case MS_TOOLKIT_UNLOCK: return false;
  }
  return false;
}

/// True if a call of a GObject function belongs to the last finding: a tail call of that function, or a nested call
/// of GObject. If GObject calls a function of the toolkit that tail-calls another GObject function, GObject is the
/// caller of that second function.
static bool is_part_of_last(ms_toolkit_entry *entry, const uintptr_t *place) {
  if (!last.entry) return false;
  if (last.caller == *place) return last.entry != entry && ms_toolkit_ends_in(last.entry, entry);
  uintptr_t offset;
  const char *file = ms_toolkit_file_of(*place - 1, &offset);
  if (!file || strncmp(file, "libgobject-2.0.so", 17) != 0 || place >= last.place) return false;
  // The last call has not returned if its return address is still on the stack.
  return ms_is_readable((uintptr_t)last.place) && *last.place == last.caller;
}

static void look(ms_toolkit_entry *entry, uintptr_t argument, const uintptr_t *place) {
  const ms_toolkit_function *function = ms_toolkit_function_of(entry);
  if (function->kind == MS_TOOLKIT_LOCK || function->kind == MS_TOOLKIT_UNLOCK) {
    return ms_toolkit_holds(function->toolkit, function->kind == MS_TOOLKIT_LOCK);
  }
  const ms_toolkit_kit *kit = ms_toolkit_kit_at(function->toolkit);
  uintptr_t caller = *place;
  // Calls from the toolkit's own libraries are not judged, on any thread.
  if (ms_toolkit_is_within(kit, caller - 1) || !concerns_owner(function, argument)) return;
  if (ms_toolkit_may_call(function->toolkit)) return;
  bool is_of_objects = function->kind == MS_TOOLKIT_CALL_ON || function->kind == MS_TOOLKIT_NEW_OF;
  if (is_of_objects && is_part_of_last(entry, place)) return;
  last.entry = entry;
  last.caller = caller;
  last.place = place;
  if (ms_allow_list_has(&allowed_calls, ms_toolkit_text(function->name))) return;
  ms_toolkit_finding finding;
  ms_toolkit_look_around(&finding, function, argument, caller);
  if (is_of_allowed_library(finding.frames, finding.frame_count)) return;
  finding.occurrence = ms_toolkit_count_site(&finding);
  if (finding.occurrence == 0) return;
  bool is_first = finding.occurrence == 1;
  ms_toolkit_record(&finding);
  int wanted = atomic_load(&policy);
  if (wanted != MS_TOOLKIT_RECORDS && is_first) ms_toolkit_write_line(&finding);
  if (wanted == MS_TOOLKIT_TRAPS) __builtin_trap();
}

void *ms_toolkit_judge(ms_toolkit_entry *entry, uintptr_t argument, const uintptr_t *place) {
  int before = errno;
  void *real = ms_toolkit_real(entry);
  if (!real) ms_toolkit_end_without(ms_toolkit_text(ms_toolkit_function_of(entry)->name));
  if (atomic_load(&looks) && !judges) {
    judges = true;
    look(entry, argument, place);
    judges = false;
  }
  errno = before;
  return real;
}

void ms_toolkit_rest(void) { atomic_store(&looks, false); }

void ms_toolkit_begin(ms_toolkit_policy wanted) {
  atomic_store(&policy, wanted);
  atomic_store(&looks, true);
}

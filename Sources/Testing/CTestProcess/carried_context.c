// Identifies the senders of work, and stores the context carried by each thread and the carrier.
#include "carried_context.h"

#include <link.h>
#include <pthread.h>
#include <string.h>

#include "CRecorder.h"

static _Atomic(const ms_carrier *) the_carrier;
static __thread void *carried_here;

void *ms_carried_here(void) { return carried_here; }

void *ms_set_carried_here(void *carried) {
  void *before = carried_here;
  carried_here = carried;
  return before;
}

// MARK: Senders

enum { MOST_RANGES = 4 };

typedef struct {
  uintptr_t start[MOST_RANGES], end[MOST_RANGES];
  unsigned count;
} code_ranges;

/// The code of Swift's tasks, of Dispatch's Swift overlay, of Dispatch, and of libraries that send
/// work on behalf of other code.
static code_ranges tasks, faces, dispatch, libraries;

static code_ranges *ranges_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (strncmp(name, "libswift_Concurrency", 20) == 0) return &tasks;
  if (strncmp(name, "libswiftDispatch", 16) == 0) return &faces;
  if (strncmp(name, "libdispatch", 11) == 0) return &dispatch;
  if (strncmp(name, "libFoundation", 13) == 0) return &libraries;
  return NULL;
}

static int learn_module(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size, (void)argument;
  code_ranges *ranges = ranges_of(info->dlpi_name);
  for (int i = 0; ranges && i < info->dlpi_phnum && ranges->count < MOST_RANGES; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    ranges->start[ranges->count] = info->dlpi_addr + header->p_vaddr;
    ranges->end[ranges->count] = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    ranges->count += 1;
  }
  return 0;
}

static void learn_modules(void) { dl_iterate_phdr(learn_module, NULL); }

static bool contains(const code_ranges *ranges, uintptr_t address) {
  for (unsigned i = 0; i < ranges->count; i++) {
    if (address >= ranges->start[i] && address < ranges->end[i]) return true;
  }
  return false;
}

const ms_carrier *ms_the_carrier(void) { return atomic_load(&the_carrier); }

bool ms_is_of_tasks(uintptr_t caller) { return contains(&tasks, caller); }

bool ms_sees_tasks(void) { return tasks.count > 0; }

bool ms_is_of_workers(uintptr_t caller) {
  return contains(&dispatch, caller) || contains(&tasks, caller);
}

void ms_carry_by(const ms_carrier *carrier) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, learn_modules);
  atomic_store(&the_carrier, carrier);
}

bool ms_is_of_library(uintptr_t caller) {
  if (!contains(&faces, caller)) return contains(&libraries, caller);
  uintptr_t frames[12];
  ms_walk_end end;
  uint32_t count = ms_walk_here(frames, 12, 0, &end);
  bool seen_face = false;
  for (uint32_t i = 0; i < count; i++) {
    bool is_face = contains(&faces, frames[i]);
    if (seen_face && !is_face) return contains(&libraries, frames[i]);
    seen_face |= is_face;
  }
  return false;
}

uint64_t ms_id_of_task(void *task) {
  static _Atomic(uint64_t (*)(void *)) find;
  uint64_t (*found)(void *) = atomic_load(&find);
  if (found == NULL) {
    found = (uint64_t (*)(void *))dlsym(RTLD_DEFAULT, "swift_task_getJobTaskId");
    if (found == NULL) return 0;
    atomic_store(&find, found);
  }
  return found(task);
}

#if !defined(SEEN_BY_SANITIZER)

// MARK: Threads

/// Returns the context for a new thread, for the interposed `pthread_create`.
void *ms_thread_takes(uintptr_t caller) {
  const ms_carrier *carrier = ms_the_carrier();
  // Worker threads run work of all senders.
  if (carrier == NULL || ms_is_of_workers(caller)) return NULL;
  void *carried;
  ASIDE(carried = carrier->take(MS_SENT_AGAIN, 0));
  return carried;
}

void ms_thread_begins(void *carried) { carried_here = carried; }

#endif

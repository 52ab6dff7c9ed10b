// Who runs on an actor now, on another thread than this one.
//
// An actor does not know it. But the runtime keeps, in each thread's own memory, the task that runs there
// and the executor that it runs on. Where, is learned in a task of which both are known, and checked with
// another. From one thread's memory to another's it is as far as between what the kernel knows of each: the
// C library gives it the list of a thread's locks, which stands in the same place in each thread's memory.
//
// All is read as a file: a thread may end at any time, and its memory with it.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CRuntime.h"

#if defined(__linux__)
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "swift_call.h"

extern MS_SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern MS_SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));

enum {
  most_threads = 1024,
  most_distance = 1 << 20,  // further apart they are no parts of one block
  task_size = 256,          // at least as much as has the id
};

/// Where a thread keeps its two words, from the list of its locks.
typedef struct {
  ptrdiff_t task;
  ptrdiff_t tracking;  // the address of a record that begins with the executor
} thread_layout;

static thread_layout layout;
enum { not_learned, unchecked, learned, failed };
static _Atomic int knowledge;  // whoever sees it learned, sees the layout

/// 0: it has none, or the kernel says nothing.
static uintptr_t locks_of(uint32_t thread) {
  void *list = NULL;
  size_t size = 0;
  return syscall(SYS_get_robust_list, thread, &list, &size) == 0 ? (uintptr_t)list : 0;
}

static bool read_at(int memory, uintptr_t address, void *into, size_t size) {
  return pread(memory, into, size, (off_t)address) == (ssize_t)size;
}

static int open_memory(void) { return open("/proc/self/mem", O_RDONLY | O_CLOEXEC); }

// --- Where it is

typedef struct {
  uintptr_t begin, end;
} block;

/// This thread's own memory of the module that has the runtime in it.
static int find_block(struct dl_phdr_info *module, size_t size, void *context) {
  uintptr_t inside = (uintptr_t)swift_task_getCurrent;
  size_t room = 0;
  bool holds = false;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &module->dlpi_phdr[i];
    uintptr_t begin = module->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && inside - begin < part->p_memsz) holds = true;
    if (part->p_type == PT_TLS) room = part->p_memsz;
  }
  if (!holds) return 0;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *)) return 1;
  uintptr_t begin = (uintptr_t)module->dlpi_tls_data;
  *(block *)context = (block){begin, begin ? begin + room : begin};
  return 1;
}

static bool find_layout(int memory, const void *task, ms_executor executor, thread_layout *found) {
  block own = {0, 0};
  dl_iterate_phdr(find_block, &own);
  uintptr_t locks = locks_of(0);
  if (locks == 0 || llabs((long long)(own.begin - locks)) > most_distance) return false;
  int tasks = 0, executors = 0;
  uintptr_t first = (own.begin + sizeof(uintptr_t) - 1) & ~(sizeof(uintptr_t) - 1);
  for (uintptr_t at = first; at + sizeof(uintptr_t) <= own.end; at += sizeof(uintptr_t)) {
    uintptr_t word;
    ms_executor there;
    if (!read_at(memory, at, &word, sizeof word)) return false;
    if (word == (uintptr_t)task) {
      found->task = (ptrdiff_t)(at - locks);
      tasks++;
    } else if (read_at(memory, word, &there, sizeof there) &&
               there.identity == executor.identity &&
               there.implementation == executor.implementation) {
      found->tracking = (ptrdiff_t)(at - locks);
      executors++;
    }
  }
  return tasks == 1 && executors == 1;
}

/// A copy will do for the runtime to read a task's id from; the task itself may be gone.
static uint64_t id_of(int memory, uintptr_t task) {
  _Alignas(16) uint8_t copy[task_size];
  if (task == 0 || !read_at(memory, task, copy, sizeof copy)) return 0;
  return swift_task_getJobTaskId(copy);
}

void ms_holder_learn(void) {
  if (knowledge == failed || !swift_task_getCurrent || !swift_task_getJobTaskId) return;
  void *task = swift_task_getCurrent();
  ms_executor executor = ms_executor_here();
  thread_layout found = {0, 0};
  int memory = open_memory();
  bool is_found = memory >= 0 && task && executor.identity &&
                  find_layout(memory, task, executor, &found) &&
                  id_of(memory, (uintptr_t)task) == swift_task_getJobTaskId(task);
  if (memory >= 0) close(memory);
  bool is_same = found.task == layout.task && found.tracking == layout.tracking;
  if (!is_found || (knowledge != not_learned && !is_same)) {
    knowledge = failed;
    return;
  }
  layout = found;
  knowledge = knowledge == not_learned ? unchecked : learned;
}

// --- Who it is

static bool holds(int memory, uint32_t thread, ms_executor executor, ms_holder *holder) {
  uintptr_t locks = locks_of(thread);
  uintptr_t tracking, task, later;
  ms_executor there;
  if (locks == 0 ||
      !read_at(memory, locks + (uintptr_t)layout.tracking, &tracking, sizeof tracking) ||
      tracking == 0 || !read_at(memory, tracking, &there, sizeof there) ||
      there.identity != executor.identity ||
      !read_at(memory, locks + (uintptr_t)layout.task, &task, sizeof task)) {
    return false;
  }
  *holder = (ms_holder){thread, id_of(memory, task)};
  // Else what was read may be what it left behind.
  return read_at(memory, locks + (uintptr_t)layout.tracking, &later, sizeof later) &&
         later == tracking;
}

bool ms_holder_of(ms_executor executor, ms_holder *holder) {
  if (knowledge != learned || executor.identity == NULL) return false;
  uint32_t own = (uint32_t)syscall(SYS_gettid);
  int memory = open_memory();
  DIR *threads = opendir("/proc/self/task");
  bool is_found = false;
  for (int i = 0; memory >= 0 && threads && !is_found && i < most_threads; i++) {
    const struct dirent *entry = readdir(threads);
    if (entry == NULL) break;
    uint32_t thread = (uint32_t)strtoul(entry->d_name, NULL, 10);
    is_found = thread != 0 && thread != own && holds(memory, thread, executor, holder);
  }
  if (threads) closedir(threads);
  if (memory >= 0) close(memory);
  return is_found;
}
#else
void ms_holder_learn(void) {}

bool ms_holder_of(ms_executor executor, ms_holder *holder) {
  (void)executor;
  (void)holder;
  return false;
}
#endif

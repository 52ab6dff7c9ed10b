// Which of Swift's pools there are: on Linux each priority has one of its own, made with its first task.
//
// The runtime keeps their queues in an array, a word for each priority, and has no name for it. It is found
// by the queue of one of them: a word of the runtime's variables which has it, amid words that have nothing,
// or other queues of that label.

#include <link.h>
#include <signal.h>
#include <string.h>

#include "CQueueState.h"
#include "thread_list.h"
#include "watched.h"

enum { priorities = 34, most_bytes = 64 << 20, most_words = 1 << 17, medium = 21, most_threads = 512 };
enum { between_looks_ns = 500000000 };

extern void swift_task_enqueueGlobal(void *job) __attribute__((weak));

static const uintptr_t *_Atomic pools;
static bool is_searched;

static bool is_pool(uintptr_t queue) {
  const ms_queue_layout *layout = &ms_queue_learned;
  static const char label[] = MS_POOL_LABEL;
  if (!ms_is_readable(queue) || !ms_is_readable(queue + layout->label)) return false;
  uintptr_t text = MS_QUEUE_WORD(queue, layout->label);
  if (!text || !ms_is_readable(text) || !ms_is_readable(text + sizeof label - 1)) return false;
  return memcmp((const char *)text, label, sizeof label) == 0;
}

static bool are_pools(const uintptr_t *words) {
  for (int i = 0; i < priorities; i++) {
    uintptr_t word = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
    if (word && !is_pool(word)) return false;
  }
  return true;
}

typedef struct {
  uint8_t priority;
  uintptr_t queue;
  const uintptr_t *found;
  int count;
} search;

static void search_words(search *search, uintptr_t start, uintptr_t end) {
  for (uintptr_t at = start; at + priorities * sizeof at <= end; at += sizeof at) {
    const uintptr_t *words = (const uintptr_t *)at;
    if (__atomic_load_n(&words[search->priority], __ATOMIC_RELAXED) != search->queue) continue;
    if (!are_pools(words)) continue;
    search->found = words;
    search->count++;
  }
}

static bool is_runtime(const struct dl_phdr_info *info) {
  uintptr_t runtime = (uintptr_t)swift_task_enqueueGlobal;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && runtime - (info->dlpi_addr + part->p_vaddr) < part->p_memsz) return true;
  }
  return false;
}

static int search_module(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  if (!is_runtime(info)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W) || part->p_memsz > most_bytes) continue;
    uintptr_t start = (info->dlpi_addr + part->p_vaddr + 7) & ~(uintptr_t)7;
    // What is made read-only once it is relocated stays readable.
    search_words(context, start, info->dlpi_addr + part->p_vaddr + part->p_memsz);
  }
  return 1;
}

void ms_pools_learn(uint8_t priority, uintptr_t queue) {
  if (is_searched || !ms_queue_reads_directly() || !swift_task_enqueueGlobal) return;
  is_searched = true;
  if (priority >= priorities || !is_pool(queue)) return;
  search search = {priority, queue, NULL, 0};
  dl_iterate_phdr(search_module, &search);
  if (search.count == 1) atomic_store(&pools, search.found);
}

const void *ms_pool_queue(uint8_t priority) {
  const uintptr_t *known = atomic_load(&pools);
  if (known == NULL || priority >= priorities) return NULL;
  return (const void *)__atomic_load_n(&known[priority], __ATOMIC_ACQUIRE);
}

/// Whether Dispatch has a thread for a pool, or for one of its own queues of that kind: they are called alike.
static bool has_workers(void) {
  static const char ending[] = "-qos";
  static uint32_t threads[most_threads];
  uint32_t count = 0;
  ms_list_threads(threads, most_threads, &count);
  for (uint32_t i = 0; i < count; i++) {
    ms_thread_status status = ms_thread_status_of(threads[i], SIGQUIT);
    size_t length = strnlen(status.name, sizeof status.name), suffix = sizeof ending - 1;
    if (length >= suffix && memcmp(status.name + length - suffix, ending, suffix) == 0) return true;
  }
  return false;
}

static int look_for_pool(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  if (!is_runtime(info)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    // Pools come while the program runs: their words have nothing at first.
    uintptr_t start = (info->dlpi_addr + part->p_vaddr + part->p_filesz + 7) & ~(uintptr_t)7;
    uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (end - start > most_words * sizeof(uintptr_t)) continue;
    for (uintptr_t at = start; at + sizeof at <= end && !*(bool *)context; at += sizeof at) {
      uintptr_t word = __atomic_load_n((const uintptr_t *)at, __ATOMIC_RELAXED);
      *(bool *)context = word && is_pool(word);
    }
  }
  return 1;
}

/// The Dispatch of Swift 6.0 gives its threads no names. A pool is found among the runtime's variables, too.
static bool has_pool(void) {
  bool has = false;
  if (swift_task_enqueueGlobal && ms_queue_reads_directly()) dl_iterate_phdr(look_for_pool, &has);
  return has;
}

/// By the pool of most tasks the others are found; but who has no tasks shall get no threads for them.
static bool is_first_wanted(uint8_t priority, uint64_t now) {
  static uint64_t looked_at;
  if (priority != medium || now - looked_at < between_looks_ns) return false;
  looked_at = now;
  return has_pool() || has_workers();
}

bool ms_pool_exists(uint8_t priority, uint64_t now) {
  if (ms_pool_queue(priority)) return true;
  return !atomic_load(&pools) && is_first_wanted(priority, now);
}

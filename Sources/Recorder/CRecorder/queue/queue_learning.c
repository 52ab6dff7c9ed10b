// Learns the locations of libdispatch's thread-local fields and of a queue's fields.
//
// Each offset is found by searching for a value that we put there ourselves, and is accepted only if no other field
// contains the value.

#include "queue_learning.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dispatch_symbols.h"

#if defined(__linux__)
#include <link.h>
#include <malloc.h>
#include <sys/syscall.h>

// The bits of a futex word that contain the owner's thread id, as the kernel defines them.
enum { owner_bits = 0x3fffffff };

enum { field_size = 4, most_fields = 64 };

typedef struct {
  unsigned long index[2];
} tls_place;
extern void *__tls_get_addr(tls_place *place) MS_WEAK;  // missing in a static executable

/// The state of one attempt: the learned layout, the test queues, and the first mismatch.
typedef struct {
  ms_queue_knowledge *knowledge;
  const char *failure;
  ms_queue_proof *prove;
  uint32_t thread;
  char *block;
  size_t block_size;
  char *first, *second;  // two serial queues; `second` is entered from `first`
  uintptr_t outer_frame;
  uint32_t free_fields[most_fields];  // the fields of `first` while no thread owns it
} learning;

static void fail(learning *attempt, const char *reason) {
  if (!attempt->failure) attempt->failure = reason;
}

// MARK: - The thread-local fields

static int find_block(struct dl_phdr_info *module, size_t size, void *context) {
  learning *attempt = context;
  uintptr_t inside = (uintptr_t)dispatch_get_current_queue;
  bool holds = false;
  size_t tls_size = 0;
  for (int i = 0; i < module->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &module->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && inside - (module->dlpi_addr + part->p_vaddr) < part->p_memsz) {
      holds = true;
    }
    if (part->p_type == PT_TLS) tls_size = part->p_memsz;
  }
  if (!holds) return 0;
  if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *)) return 1;
  attempt->knowledge->module = module->dlpi_tls_modid;
  attempt->block = module->dlpi_tls_data;
  attempt->block_size = tls_size;
  return 1;
}

/// Finds this thread's TLS block of libdispatch, after a call that initializes it.
static bool enter_block(learning *attempt) {
  dispatch_get_current_queue();
  attempt->block = NULL;
  dl_iterate_phdr(find_block, attempt);
  return attempt->block != NULL;
}

/// Returns the only offset in the block at which `value` is stored; -1 unless there is exactly one.
static ptrdiff_t only_place(const learning *attempt, uintptr_t value) {
  ptrdiff_t found = -1;
  for (size_t at = 0; at + sizeof(uintptr_t) <= attempt->block_size; at += sizeof(uintptr_t)) {
    if (MS_QUEUE_WORD(attempt->block, at) != value) continue;
    if (found >= 0) return -1;
    found = (ptrdiff_t)at;
  }
  return found;
}

static size_t fields_of(const char *queue) {
  size_t fields = malloc_usable_size((void *)queue) / field_size;
  return fields < most_fields ? fields : most_fields;
}

static void note_free_fields(learning *attempt) {
  for (size_t i = 0; i < fields_of(attempt->first); i++) {
    attempt->free_fields[i] = MS_QUEUE_HALF(attempt->first, i * field_size) & owner_bits;
  }
}

/// Returns the offset of the only field of `first` that contains this thread's id now and did not before; -1 unless
/// there is exactly one. A serial number or half of an address may equal the thread's id, but does not change.
static ptrdiff_t only_owner_field(const learning *attempt) {
  ptrdiff_t found = -1;
  for (size_t i = 0; i < fields_of(attempt->first); i++) {
    uint32_t field = MS_QUEUE_HALF(attempt->first, i * field_size) & owner_bits;
    if (field != attempt->thread || field == attempt->free_fields[i]) continue;
    if (found >= 0) return -1;
    found = (ptrdiff_t)(i * field_size);
  }
  return found;
}

static void learn_frame(void *context) {
  learning *attempt = context;
  ptrdiff_t queue = attempt->knowledge->in_block;
  uintptr_t frame = MS_QUEUE_WORD(attempt->block, queue + 8);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (MS_QUEUE_WORD(attempt->block, queue) != (uintptr_t)attempt->second) {
    return fail(attempt, "the current queue is no longer at its offset");
  }
  // `dispatch_sync` pushed this frame just above ours on this stack: {previous queue, older frame}.
  if (frame < here || frame - here > 4096 || frame % sizeof(uintptr_t)) {
    return fail(attempt, "the word next to the current queue is no frame pointer");
  }
  if (MS_QUEUE_WORD(frame, 0) != (uintptr_t)attempt->first ||
      MS_QUEUE_WORD(frame, sizeof(uintptr_t)) != attempt->outer_frame) {
    return fail(attempt, "a frame has an unknown layout");
  }
}

static void learn_words(void *context) {
  learning *attempt = context;
  ms_queue_knowledge *knowledge = attempt->knowledge;
  ptrdiff_t queue = only_place(attempt, (uintptr_t)attempt->first);
  if (queue < 8 || (size_t)queue + 16 > attempt->block_size) {
    return fail(attempt, "the current queue was not found");
  }
  if (MS_QUEUE_HALF(attempt->block, queue - 8) != attempt->thread) {
    return fail(attempt, "the word next to the current queue is not the thread id");
  }
  ptrdiff_t state = only_owner_field(attempt);
  if (state < 0) return fail(attempt, "the state field of a queue was not found");
  knowledge->in_block = queue;
  knowledge->layout.state = (uint16_t)state;
  knowledge->layout.owner_mask = owner_bits;

  attempt->outer_frame = MS_QUEUE_WORD(attempt->block, queue + 8);
  dispatch_sync_f(attempt->second, attempt, learn_frame);
  if (MS_QUEUE_WORD(attempt->block, queue + 8) != attempt->outer_frame) {
    fail(attempt, "a frame is still set after its call");
  }
}

static void check_left(learning *attempt) {
  const ms_queue_knowledge *knowledge = attempt->knowledge;
  if (MS_QUEUE_WORD(attempt->block, knowledge->in_block)) {
    fail(attempt, "the current queue is still set after its call");
  }
  if (MS_QUEUE_HALF(attempt->first, knowledge->layout.state) & owner_bits) {
    fail(attempt, "a queue's state is still set after its call");
  }
}

// MARK: - A queue's fields

static bool has_label(const char *queue, uint16_t offset) {
  return MS_QUEUE_WORD(queue, offset) == (uintptr_t)dispatch_queue_get_label((void *)queue);
}

static void learn_fields(learning *attempt) {
  ms_queue_layout *layout = &attempt->knowledge->layout;
  const ms_dispatch_offsets *known = &dispatch_queue_offsets;
  layout->target = known->target;
  layout->label = known->label;
  layout->serial = known->serial;
  layout->main = &_dispatch_main_q;
  size_t room = malloc_usable_size(attempt->first);
  if (known->target + 8u > room || known->label + 8u > room || known->serial + 8u > room) {
    return fail(attempt, "the exported offset of a queue field is beyond the end of the queue");
  }
  if (!has_label(attempt->first, layout->label) || !has_label(layout->main, layout->label)) {
    return fail(attempt, "the label of a queue is not at the exported offset");
  }
  uint64_t one = MS_QUEUE_WORD(attempt->first, layout->serial);
  uint64_t two = MS_QUEUE_WORD(attempt->second, layout->serial);
  if (MS_QUEUE_WORD(layout->main, layout->serial) != 1 || one <= 1 || two <= one) {
    return fail(attempt, "the serial number of a queue is not at the exported offset");
  }
  char *third = dispatch_queue_create("mainstay.targeting", NULL);
  dispatch_set_target_queue(third, attempt->first);
  if (MS_QUEUE_WORD(third, layout->target) != (uintptr_t)attempt->first) {
    fail(attempt, "the target of a queue is not at the exported offset");
  }
  dispatch_release(third);
}

// MARK: - Other threads

static ptrdiff_t from_thread_pointer(const learning *attempt) {
  return attempt->block + attempt->knowledge->in_block - (char *)__builtin_thread_pointer();
}

/// Runs on a second thread, while the first one runs on `first`.
static void *check_elsewhere(void *context) {
  learning *attempt = context;
  ms_queue_knowledge *knowledge = attempt->knowledge;
  if (!enter_block(attempt) || MS_QUEUE_WORD(attempt->block, knowledge->in_block)) {
    fail(attempt, "a new thread has a current queue");
    return NULL;
  }
  knowledge->fixed = from_thread_pointer(attempt) == knowledge->layout.queue;
  if (!knowledge->fixed && !__tls_get_addr) {
    fail(attempt, "the thread-local block of libdispatch cannot be addressed");
    return NULL;
  }
  const char *failure = attempt->prove ? attempt->prove(knowledge, attempt->first) : NULL;
  if (failure) fail(attempt, failure);
  return NULL;
}

static bool run_thread(void *(*body)(void *), void *context) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, context) != 0) return false;
  pthread_join(thread, NULL);
  return true;
}

static void check_elsewhere_meanwhile(void *context) {
  if (!run_thread(check_elsewhere, context)) fail(context, "no thread could be started");
}

static void learn_on_this_thread(learning *attempt) {
  ms_queue_knowledge *knowledge = attempt->knowledge;
  note_free_fields(attempt);
  dispatch_sync_f(attempt->first, attempt, learn_words);
  if (!attempt->failure) check_left(attempt);
  if (!attempt->failure) learn_fields(attempt);
  if (attempt->failure) return;
  knowledge->layout.queue = from_thread_pointer(attempt);
  knowledge->layout.thread_id = knowledge->layout.queue - 8;
  knowledge->layout.frame = knowledge->layout.queue + 8;
  dispatch_sync_f(attempt->first, attempt, check_elsewhere_meanwhile);
}

static void *learn(void *context) {
  learning *attempt = context;
  attempt->thread = (uint32_t)syscall(SYS_gettid);
  if (!enter_block(attempt)) {
    fail(attempt, "libdispatch has no thread-local block");
    return NULL;
  }
  attempt->first = dispatch_queue_create("mainstay.first", NULL);
  attempt->second = dispatch_queue_create("mainstay.second", NULL);
  learn_on_this_thread(attempt);
  dispatch_release(attempt->second);
  dispatch_release(attempt->first);
  return NULL;
}

static bool has_exports(void) {
  return &_dispatch_main_q && &_dispatch_queue_attr_concurrent && &dispatch_queue_offsets &&
         dispatch_get_current_queue && dispatch_queue_get_label && dispatch_queue_create &&
         dispatch_set_target_queue && dispatch_release && dispatch_sync_f &&
         dispatch_async_and_wait_f && dispatch_assert_queue && dispatch_assert_queue_not;
}

const char *ms_queue_learn(ms_queue_knowledge *knowledge, ms_queue_proof *prove) {
  if (!has_exports()) return "libdispatch is not loaded, or lacks an export";
  memset(knowledge, 0, sizeof *knowledge);
  learning attempt = {.knowledge = knowledge, .prove = prove};
  // The threads inherit a full signal mask, so that no handler of the host runs on them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  if (!run_thread(learn, &attempt)) fail(&attempt, "no thread could be started");
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return attempt.failure;
}

// Returns the address of this thread's current-queue field. Signal safety: safe if the thread's TLS block exists;
// otherwise the loader allocates it.
static const char *own_words(const ms_queue_knowledge *knowledge) {
  if (knowledge->fixed) {
    return (const char *)__builtin_thread_pointer() + knowledge->layout.queue;
  }
  tls_place block = {{knowledge->module, 0}};
  return (const char *)__tls_get_addr(&block) + knowledge->in_block;
}

bool ms_queue_on_by(const ms_queue_knowledge *knowledge, const void *queue) {
  const char *words = own_words(knowledge);
  uint32_t thread = ms_queue_thread(MS_QUEUE_HALF(words, -8));
  return ms_queue_predicate(&knowledge->layout, queue, thread, MS_QUEUE_WORD(words, 0),
                            MS_QUEUE_WORD(words, 8));
}

ms_queue_stamp ms_queue_stamp_by(const ms_queue_knowledge *knowledge) {
  const char *words = own_words(knowledge);
  uint32_t thread = ms_queue_thread(MS_QUEUE_HALF(words, -8));
  return ms_queue_stamp_from(&knowledge->layout, thread, MS_QUEUE_WORD(words, 0),
                             MS_QUEUE_WORD(words, 8));
}

size_t ms_queue_all_by(const ms_queue_knowledge *knowledge, const void **queues, size_t room) {
  const char *words = own_words(knowledge);
  uintptr_t current = MS_QUEUE_WORD(words, 0);
  uintptr_t frame = MS_QUEUE_WORD(words, 8);
  size_t count = 0;
  while (current && count < room) {
    queues[count++] = (const void *)current;
    current = ms_queue_next(&knowledge->layout, current, &frame);
  }
  return count;
}

#else

size_t ms_queue_all_by(const ms_queue_knowledge *knowledge, const void **queues, size_t room) {
  return 0;
}

const char *ms_queue_learn(ms_queue_knowledge *knowledge, ms_queue_proof *prove) {
  return "the exact check exists only for Linux";
}

bool ms_queue_on_by(const ms_queue_knowledge *knowledge, const void *queue) { return false; }

ms_queue_stamp ms_queue_stamp_by(const ms_queue_knowledge *knowledge) {
  return (ms_queue_stamp){0, NULL, 0, false};
}

#endif

#include "async.h"

#include "ms_address.h"

MS_WALKS_BEGIN

_Atomic uintptr_t ms_task_returns[ms_task_places];

/// The layout of the start of an async function's context.
typedef struct async_context {
  uintptr_t parent;  // 0 for the first function of a task
  uintptr_t resume;  // the resume address of the parent
} async_context;

// --- Caches of readable pages and of resume addresses: lock-free, each entry one atomic word, shared by all threads

enum { page_bits = 12, known_pages = 1024, known_resumes = 1024 };

static _Atomic uintptr_t pages[known_pages];
static _Atomic uintptr_t resumes[known_resumes];

static bool can_be_read(uintptr_t address, ms_asking asking) {
  uintptr_t page = address >> page_bits;
  _Atomic uintptr_t *known = &pages[page % known_pages];
  if (page == 0) return false;
  if (asking == MS_ASK_ONCE && atomic_load_explicit(known, memory_order_relaxed) == page) return true;
  if (!ms_is_readable(address)) return false;
  atomic_store_explicit(known, page, memory_order_relaxed);
  return true;
}

static MS_INLINE bool is_resume(uintptr_t address, ms_asking asking) {
  _Atomic uintptr_t *known = &resumes[(address >> 4 ^ address >> 14) % known_resumes];
  if (address == 0) return false;
  if (asking == MS_ASK_ONCE && atomic_load_explicit(known, memory_order_relaxed) == address) {
    return true;
  }
  if (!ms_is_code(address)) return false;
  atomic_store_explicit(known, address, memory_order_relaxed);
  return true;
}

// --- The chain of async callers

static bool is_aligned(uintptr_t context) { return context % sizeof(async_context) == 0; }

// Reads the context at `at`. A context is aligned to the size of its first two words, so a single page contains both
// words. `page` is the page that was checked last; most contexts of a task are on the same page.
static MS_INLINE bool read_context(uintptr_t at, ms_asking asking, uintptr_t *page,
                                   async_context *context) {
  if (ms_unlikely(!is_aligned(at))) return false;
  if (ms_unlikely(at >> page_bits != *page)) {
    if (!can_be_read(at, asking)) return false;
    *page = at >> page_bits;
  }
  *context = *(const async_context *)at;
  return true;
}

uintptr_t ms_async_own_context(uintptr_t found, const ms_interrupted *at) {
  enum { first_instructions = 48 };
  uintptr_t page = UINTPTR_MAX;
  async_context context;
  bool is_exchanged = found != at->context;
  if (is_exchanged || !read_context(found, MS_ASK_ALWAYS, &page, &context)) return found;
  return at->pc - context.resume < first_instructions ? context.parent : found;
}

uint32_t ms_async_callers(uintptr_t context, ms_asking asking, uintptr_t *frames, uint32_t capacity,
                          ms_walk_end *end) {
  uint32_t count = 0;
  uint32_t turn = 1;
  uintptr_t seen = 0;  // an earlier context, updated at powers of two to detect a cycle
  uintptr_t page = UINTPTR_MAX;
  while (context != 0) {
    async_context at;
    *end = MS_WALK_BAD_CALLERS;
    if (context == seen || !read_context(context, asking, &page, &at) || !is_resume(at.resume, asking)) {
      return count;
    }
    if (count == capacity) {
      *end = MS_WALK_LIMIT;
      return count;
    }
    frames[count++] = at.resume | MS_ASYNC_CALLER;
    if (count == turn) {
      seen = context;
      turn *= 2;
    }
    context = at.parent;
  }
  *end = MS_WALK_COMPLETE;
  return count;
}

bool ms_async_callers_are(uintptr_t context, const uintptr_t *frames, uint32_t count,
                          ms_walk_end end) {
  uintptr_t page = UINTPTR_MAX;
  for (uint32_t i = 0; i < count; i++) {
    async_context at;
    if (context == 0 || !read_context(context, MS_ASK_ONCE, &page, &at)) return false;
    if ((at.resume | MS_ASYNC_CALLER) != frames[i]) return false;
    context = at.parent;
  }
  return (context == 0) == (end == MS_WALK_COMPLETE);
}

MS_WALKS_END

// Gives every thread an alternate stack, so that a handler can run when its own one is used up.
//
// Alternate stacks are per thread, and nobody but the thread itself can set its own: so this file
// stands between the process and `pthread_create`.

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crash.h"

// Our handler needs 16 KiB, the kernel's frame up to 11 (AMX); the rest is for the host's handlers.
enum { usable = 64 * 1024 };

static pthread_key_t end_of_thread;
static bool key_made;
static size_t page;

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static _Atomic(create_function) real_create;

// A sanitizer's own, which must see every thread; ours takes the place it would have had.
extern int __interceptor_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                                        void *) __attribute__((weak));

static create_function find_create(void) {
  if (__interceptor_pthread_create) return __interceptor_pthread_create;
  return (create_function)dlsym(RTLD_NEXT, "pthread_create");
}

/// A stack between two pages that cannot be touched. They take address space, not memory.
static void *make_stack(void) {
  size_t size = usable + 2 * page;
  uint8_t *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (mprotect(memory + page, usable, PROT_READ | PROT_WRITE) == 0) return memory + page;
  munmap(memory, size);
  return NULL;
}

static void free_stack(void *stack) {
  munmap((uint8_t *)stack - page, usable + 2 * page);
}

static void thread_ended(void *stack) {
  stack_t now, none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack) sigaltstack(&none, NULL);
  free_stack(stack);
}

bool ms_crash_cover_thread(void) {
  stack_t now;
  if (!key_made || sigaltstack(NULL, &now) != 0) return false;
  if (!(now.ss_flags & SS_DISABLE) && now.ss_size >= usable) return true;
  if (now.ss_flags & SS_ONSTACK) return false;
  void *stack = make_stack();
  if (stack == NULL) return false;
  stack_t ours = {.ss_sp = stack, .ss_size = usable};
  if (sigaltstack(&ours, NULL) == 0 && pthread_setspecific(end_of_thread, stack) == 0) return true;
  free_stack(stack);
  return false;
}

/// Before anything of the host's runs: the main thread is the one that loads the process.
__attribute__((constructor)) static void cover_main_thread(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  key_made = pthread_key_create(&end_of_thread, thread_ended) == 0;
  ms_crash_cover_thread();
}

typedef struct {
  void *(*start)(void *);
  void *argument;
} thread_start;

/// A fault while its signal is blocked kills without a word. Nobody means that: masks that block
/// all are inherited, by Dispatch's workers too.
static void let_faults_through(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
  sigset_t open;
  sigemptyset(&open);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigaddset(&open, faults[i]);
  pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

/// Leaves no frame behind: stacks look as if we had never been there.
static void *begin_thread(void *context) {
  thread_start start = *(thread_start *)context;
  free(context);
  let_faults_through();
  ms_crash_cover_thread();
  __attribute__((musttail)) return start.start(start.argument);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument) {
  create_function create = atomic_load(&real_create);
  if (create == NULL) {
    create = find_create();
    atomic_store(&real_create, create);
  }
  thread_start *wrapped = key_made ? malloc(sizeof *wrapped) : NULL;
  if (wrapped == NULL) return create(thread, attributes, start, argument);
  *wrapped = (thread_start){start, argument};
  int result = create(thread, attributes, begin_thread, wrapped);
  if (result != 0) free(wrapped);
  return result;
}

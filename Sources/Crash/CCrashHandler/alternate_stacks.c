// Gives every thread an alternate stack, so that a signal handler can run after the thread's stack has overflowed.
//
// Only the thread itself can set its alternate stack. Therefore this file interposes `pthread_create`.

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

#include "crash.h"
#include "stack_pool.h"

static pthread_key_t end_of_thread;
static bool key_made;

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static _Atomic(create_function) real_create;

#ifdef MS_PRELOADED
// The `pthread_create` of a sanitizer calls ours.
#define MS_SANITIZERS_CREATE NULL
#else
// The `pthread_create` of a sanitizer, which must see every thread and which our function would hide.
extern int __interceptor_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                                        void *) __attribute__((weak));
#define MS_SANITIZERS_CREATE __interceptor_pthread_create
#endif

// In a fully static program there is no next library to search. There the C library's function has this name, and is
// linked because `thrd_create` calls it; a shared C library does not export the name.
extern int __pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) __attribute__((weak));
static __typeof__(&thrd_create) const links_create __attribute__((used)) = thrd_create;

static create_function find_create(void) {
  create_function sanitizers = MS_SANITIZERS_CREATE;
  if (sanitizers) return sanitizers;
  if (__pthread_create) return __pthread_create;
  return (create_function)dlsym(RTLD_NEXT, "pthread_create");
}

/// Removes the alternate stack at the end of its thread. A stack that the host has installed instead stays.
static void thread_ended(void *number) {
  stack_t ours = ms_stack_of((uint32_t)(uintptr_t)number), now, none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(&none, &now) != 0) return;  // EPERM: this function runs on the alternate stack
  if (now.ss_sp != ours.ss_sp && !(now.ss_flags & SS_DISABLE)) sigaltstack(&now, NULL);
  ms_stack_give_back((uint32_t)(uintptr_t)number);
}

/// Installs an alternate stack of the pool on the calling thread, unless the thread already has one.
static bool cover(void) {
  if (pthread_getspecific(end_of_thread)) return false;
  uint32_t number = ms_stack_take();
  if (number == 0) return false;
  stack_t ours = ms_stack_of(number);
  if (pthread_setspecific(end_of_thread, (void *)(uintptr_t)number) == 0) {
    if (sigaltstack(&ours, NULL) == 0) return true;
    pthread_setspecific(end_of_thread, NULL);
  }
  ms_stack_give_back(number);
  return false;
}

bool ms_crash_cover_thread(void) {
  stack_t now;
  if (!key_made || sigaltstack(NULL, &now) != 0) return false;
  if (!(now.ss_flags & SS_DISABLE) && now.ss_size >= MS_ENOUGH_STACK) return true;
  return !(now.ss_flags & SS_ONSTACK) && cover();
}

void ms_crash_cover_threads(void) {
  if (!key_made) key_made = pthread_key_create(&end_of_thread, thread_ended) == 0;
  ms_crash_cover_thread();
}

#ifndef MS_PRELOADED
/// Gives the main thread an alternate stack before any code of the host runs. The main thread loads the process.
__attribute__((constructor)) static void cover_main_thread(void) {
  if (!ms_is_off()) ms_crash_cover_threads();
}
#endif

/// Defined in test programs only: `ms_thread_takes` captures the creator's context, which `ms_thread_begins` installs
/// on the new thread.
extern void *ms_thread_takes(uintptr_t caller) __attribute__((weak));
extern void ms_thread_begins(void *carried) __attribute__((weak));

typedef struct {
  void *(*start)(void *);
  void *argument;
  void *carried;
} thread_start;

/// Unblocks the fault signals. A fault whose signal is blocked kills the process without a record. Hosts do not
/// intend that: masks that block all signals are inherited, also by Dispatch's workers.
static void let_faults_through(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
  sigset_t open;
  sigemptyset(&open);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) sigaddset(&open, faults[i]);
  pthread_sigmask(SIG_UNBLOCK, &open, NULL);
}

/// Prepares a new thread and tail-calls the host's function, so that stacks contain no frame of ours.
static void *begin_thread(void *context) {
  thread_start start = *(thread_start *)context;
  free(context);
  let_faults_through();
  cover();  // a new thread has no alternate stack
  if (start.carried) ms_thread_begins(start.carried);
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
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  *wrapped = (thread_start){start, argument, ms_thread_takes ? ms_thread_takes(caller) : NULL};
  int result = create(thread, attributes, begin_thread, wrapped);
  if (result != 0) free(wrapped);
  return result;
}

#include "owner.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "list.h"

ms_toolkit_owner ms_toolkit_owners[1 + MS_TOOLKITS];
// The address of the array for `ms_toolkit_enter`, which has no spare register to compute it.
ms_toolkit_owner *ms_toolkit_owners_at __attribute__((visibility("hidden"), used)) = ms_toolkit_owners;

static ms_toolkit_thread owner_threads[MS_TOOLKITS];
static pthread_key_t ends;
static bool has_key;
static __thread uint32_t held[MS_TOOLKITS] __attribute__((tls_model("initial-exec")));

static uintptr_t this_thread(void) {
#if defined(__x86_64__)
  uintptr_t block;
  __asm__("movq %%fs:0, %0" : "=r"(block));
  return block;
#else
  return (uintptr_t)__builtin_thread_pointer();
#endif
}

ms_toolkit_thread ms_toolkit_this_thread(void) {
  ms_toolkit_thread thread = {(uint32_t)gettid(), ""};
  pthread_getname_np(pthread_self(), thread.name, sizeof thread.name);
  return thread;
}

ms_toolkit_thread ms_toolkit_owner_of(uint32_t toolkit) { return owner_threads[toolkit]; }

/// Removes a thread that has ended from the owners, because a new thread may reuse its thread block.
static void give_up(void *thread) {
  for (uint32_t i = 1; i <= MS_TOOLKITS; i++) {
    uintptr_t expected = (uintptr_t)thread;
    atomic_compare_exchange_strong(&ms_toolkit_owners[i].thread, &expected, 0);
  }
}

void ms_toolkit_owners_start(void) { has_key = pthread_key_create(&ends, give_up) == 0; }

static void own(uint32_t toolkit, uintptr_t thread) {
  owner_threads[toolkit] = ms_toolkit_this_thread();
  atomic_store(&ms_toolkit_owners[1 + toolkit].thread, thread);
  if (has_key) pthread_setspecific(ends, (void *)thread);
}

/// True if this thread currently owns GLib's default main context.
static bool iterates(void) {
  static _Atomic(void *) known_default, known_owner;
  const char *glib = "libglib-2.0.so.0";
  void *(*context)(void) = (void *(*)(void))atomic_load(&known_default);
  int (*is_owner)(void *) = (int (*)(void *))atomic_load(&known_owner);
  if (!context || !is_owner) {
    context = (void *(*)(void))ms_toolkit_find(glib, "g_main_context_default");
    is_owner = (int (*)(void *))ms_toolkit_find(glib, "g_main_context_is_owner");
    if (!context || !is_owner) return false;
    atomic_store(&known_default, (void *)context);
    atomic_store(&known_owner, (void *)is_owner);
  }
  return is_owner(context()) != 0;
}

bool ms_toolkit_may_call(uint32_t toolkit) {
  ms_toolkit_owner *owner = &ms_toolkit_owners[1 + toolkit];
  uintptr_t self = this_thread(), nobody = 0;
  if (atomic_load(&owner->thread) == self) return true;
  if (atomic_compare_exchange_strong(&owner->thread, &nobody, self) ||
      (ms_toolkit_kit_at(toolkit)->owner == MS_TOOLKIT_MAIN_CONTEXT && iterates())) {
    own(toolkit, self);
    return true;
  }
  return held[toolkit] > 0;
}

void ms_toolkit_holds(uint32_t toolkit, bool holds) {
  if (holds) held[toolkit]++;
  else if (held[toolkit]) held[toolkit]--;
}

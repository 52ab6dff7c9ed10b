#include "ms_thread.h"

#if defined(__linux__)
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <pthread.h>
#endif

static uint64_t last_identity;
static _Thread_local ms_thread_words words;

ms_thread_words *ms_thread_own(void) {
  if (words.identity == 0) {
    words.identity = __atomic_add_fetch(&last_identity, 1, __ATOMIC_RELAXED);
  }
  return &words;
}

uint32_t ms_thread_id(void) {
  if (words.id == 0) words.id = ms_thread_id_anew();
  return words.id;
}

uint32_t ms_thread_id_anew(void) {
#if defined(__linux__)
  return (uint32_t)syscall(SYS_gettid);
#else
  uint64_t thread = 0;
  pthread_threadid_np(NULL, &thread);
  return (uint32_t)thread;
#endif
}

void ms_thread_name(char *name, size_t size) {
  if (size == 0) return;
  name[0] = 0;
#if defined(__linux__)
  char whole[16];  // the kernel's limit, including the terminator
  if (prctl(PR_GET_NAME, whole, 0, 0, 0) != 0) return;
  size_t length = strnlen(whole, sizeof whole);
  if (length >= size) length = size - 1;
  memcpy(name, whole, length);
  name[length] = 0;
#else
  pthread_getname_np(pthread_self(), name, size);
#endif
}

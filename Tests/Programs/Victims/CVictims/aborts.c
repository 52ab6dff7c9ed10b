// Deaths that a library decides on, and signals that are sent.

#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CVictims.h"

static volatile int sink;
static volatile int zero;

void die_abort(void) {
  abort();
}

#undef NDEBUG
void die_assert(void) {
  assert(zero && "the till is balanced");
  sink = 1;
}

void die_double_free(void) {
  void *volatile block = malloc(64);
  free(block);
  free(block);
  sink = 1;
}

/// Breaks the size of a free block, which the next allocation looks at.
static void break_free_block(void) {
  uintptr_t *volatile block = malloc(4000);
  void *volatile apart = malloc(4000);
  free(block);
  block[-1] = 0x7ffffffffffffff1;
  sink = apart != NULL;
}

void die_heap_smash(void) {
  break_free_block();
  void *volatile next = malloc(5000);
  sink = next != NULL;
}

static void *wait_for_ever(void *started) {
  if (started) __atomic_add_fetch((int *)started, 1, __ATOMIC_RELEASE);
  for (;;) pause();
}

/// With a second thread there, malloc holds its lock while it gives up.
void die_malloc_lock_held(void) {
  start_waiting_threads(1);
  break_free_block();
  void *volatile next = malloc(5000);
  sink = next != NULL;
}

static int fault_in_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info, (void)size, (void)context;
  sink = *(volatile int *)(uintptr_t)zero;
  return 1;
}

void die_loader_lock_held(void) {
  dl_iterate_phdr(fault_in_callback, NULL);
  sink = 1;
}

static int hold_for_ever(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info, (void)size;
  __atomic_store_n((int *)context, 1, __ATOMIC_RELEASE);
  for (;;) pause();
}

static void *hold_loader_lock(void *held) {
  dl_iterate_phdr(hold_for_ever, held);
  return NULL;
}

void die_loader_lock_elsewhere(void) {
  static int held;
  pthread_t thread;
  pthread_create(&thread, NULL, hold_loader_lock, &held);
  while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE)) usleep(1000);
  sink = *(volatile int *)(uintptr_t)zero;
}

/// A child that is forked and dies is no crash of its parent's.
void fork_a_victim(void) {
  pid_t child = fork();
  if (child == 0) {
    sink = *(volatile int *)(uintptr_t)zero;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV) _exit(1);
}

void die_mutex_held(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  sink = *(volatile int *)(uintptr_t)zero;
  pthread_mutex_unlock(&mutex);
}

void die_system_call(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  sink = (int)syscall(SYS_getppid);
}

void die_raised(void) {
  raise(SIGSEGV);
  sink = 1;
}

/// Waits until the kernel says that a thread of a process sleeps: its number, its name in parentheses, a letter.
static void wait_until_asleep(const char *state) {
  for (;;) {
    char text[256];
    int file = open(state, O_RDONLY | O_CLOEXEC);
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    text[count < 0 ? 0 : count] = 0;
    const char *name_end = strrchr(text, ')');
    if (name_end != NULL && strncmp(name_end, ") S", 3) == 0) return;
    usleep(1000);
  }
}

/// While it makes a child a thread takes no signals, and another would get the one that is sent.
void die_killed_by_child(void) {
  char state[64];
  snprintf(state, sizeof state, "/proc/%d/task/%ld/stat", getpid(), syscall(SYS_gettid));
  pid_t child = fork();
  if (child == 0) {
    wait_until_asleep(state);
    kill(getppid(), SIGSEGV);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  sink = 1;
}

enum { APART, CALLED, ANSWERED, TOGETHER };
static _Atomic int meeting;

static void *crash_together(void *context) {
  while (atomic_load(&meeting) != TOGETHER) {
    int called = CALLED;
    atomic_compare_exchange_strong(&meeting, &called, ANSWERED);
  }
  sink = *(volatile int *)(uintptr_t)zero;
  return context;
}

static uint64_t time_of_an_answer(void) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  atomic_store(&meeting, CALLED);
  while (atomic_load(&meeting) != ANSWERED) continue;
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000 + (uint64_t)to.tv_nsec - (uint64_t)from.tv_nsec;
}

/// With a thread that is waited for in vain, so that the second crashes while the first is recorded. A thread that is
/// asked for its stack before it crashes no longer does, so both are at work on processors when they do.
void die_two_at_once(void) {
  enum { most_calls = 1000, at_once_ns = 5000 };
  pthread_t other;
  start_silent_thread();
  pthread_create(&other, NULL, crash_together, NULL);
  for (int i = 0; i < most_calls && time_of_an_answer() > at_once_ns; i++) continue;
  atomic_store(&meeting, TOGETHER);
  crash_together(NULL);
}

/// A library that was loaded after the handler was installed; the driver says where it is.
void die_in_library(void) {
  void *library = dlopen(getenv("VICTIM_LIBRARY"), RTLD_NOW);
  if (library == NULL) return;
  void (*fault)(void) = (void (*)(void))(uintptr_t)dlsym(library, "fault_in_library");
  fault();
  sink = 1;
}

void die_out_of_memory(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_AS, &none);
  void *volatile block = malloc(64 << 20);
  memset(block, 1, 64 << 20);
  sink = 1;
}

/// No file can grow any more, as on a full disk.
void die_disk_full(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  sink = *(volatile int *)(uintptr_t)zero;
}

void start_waiting_threads(int count) {
  int started = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_ever, &started) != 0) abort();
    pthread_setname_np(thread, "waiting");
  }
  while (__atomic_load_n(&started, __ATOMIC_ACQUIRE) < count) usleep(1000);
}

void start_blocking_thread(void) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_t thread;
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  pthread_setname_np(thread, "blocking");
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

extern __attribute__((swiftcall)) void *swift_task_alloc(size_t size);
extern __attribute__((swiftcall)) void swift_task_dealloc(void *memory);

/// A task's memory is given back in the order opposite to that in which it was had.
void die_task_memory(void) {
  void *first = swift_task_alloc(32);
  swift_task_alloc(32);
  swift_task_dealloc(first);
  __asm__ volatile("" ::: "memory");  // no tail call
}

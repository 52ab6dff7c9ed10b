// Preloaded into a victim: counts what a handler must not call, from the signal to the hand-over.
//
// It stands between the process and sigaction, so that it knows when a handler runs. The hand-over
// is when the handler gives the signal its default action back; the counts are written down then.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int watched[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE,
                              SIGABRT, SIGSYS, SIGQUIT, SIGPROF};

typedef void (*handler)(int, siginfo_t *, void *);
static handler handlers[NSIG];
static _Thread_local int handling;
static _Atomic unsigned allocations, locks, futexes, handled;
enum { report_size = 128 };
static char *report;  // mapped, as a victim may be unable to write to files

static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);
static int (*real_lock)(pthread_mutex_t *);
static int (*real_read_lock)(pthread_rwlock_t *);
static int (*real_write_lock)(pthread_rwlock_t *);
static long (*real_syscall)(long, ...);

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("VICTIM_COUNTS");
  if (path == NULL) return;
  int file = open(path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, report_size) != 0) return;
  void *mapping = mmap(NULL, report_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapping != MAP_FAILED) report = mapping;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static void count(_Atomic unsigned *counter) {
  if (handling) atomic_fetch_add(counter, 1);
}

void *malloc(size_t size) {
  count(&allocations);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(&allocations);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count(&allocations);
  return __libc_realloc(block, size);
}

void free(void *block) {
  count(&allocations);
  __libc_free(block);
}

#define REAL(name, symbol) \
  (name ? name : (name = (__typeof__(name))dlsym(RTLD_NEXT, symbol)))

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  count(&locks);
  return REAL(real_lock, "pthread_mutex_lock")(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  count(&locks);
  return REAL(real_read_lock, "pthread_rwlock_rdlock")(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  count(&locks);
  return REAL(real_write_lock, "pthread_rwlock_wrlock")(lock);
}

long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_futex) count(&futexes);
  return REAL(real_syscall, "syscall")(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  handling++;
  atomic_fetch_add(&handled, 1);
  handlers[signal](signal, info, context);
  handling--;
}

static int is_watched(int signal) {
  for (unsigned i = 0; i < sizeof watched / sizeof *watched; i++) {
    if (watched[i] == signal) return 1;
  }
  return 0;
}

static void write_report(void) {
  if (report == NULL) return;
  snprintf(report, report_size, "handled %u allocations %u locks %u futexes %u", handled,
           allocations, locks, futexes);
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
  REAL(real_sigaction, "sigaction");
  if (!is_watched(signal)) return real_sigaction(signal, action, old);
  if (handling && signal != SIGPROF && action && action->sa_handler == SIG_DFL) write_report();
  struct sigaction wrapped, before;
  if (action) wrapped = *action;
  int has_handler = action && (action->sa_flags & SA_SIGINFO);
  if (has_handler) wrapped.sa_sigaction = on_signal;
  handler known = handlers[signal];
  if (has_handler) handlers[signal] = action->sa_sigaction;
  int result = real_sigaction(signal, action ? &wrapped : NULL, &before);
  if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction == on_signal) {
    before.sa_sigaction = known;
  }
  if (old) *old = before;
  return result;
}

#include "ms_own_code.h"

#include <stddef.h>
#include <string.h>

static const char *const modules[] = {
    "ThreadAffinity", "Breadcrumbs", "BreadcrumbNotifications", "CrashCapture", "Mainstay", "AffinityTesting",
    "BlockingCalls", "CrashTesting", "PastDeaths", NULL,
};

static const char *const adapters[] = {
    "MainstayHummingbird", "MainstayLifecycle", "MainstayMetrics", "MainstayNIO", "MainstaySwiftLog",
    "MainstayTracing", NULL,
};

static const char *const folders[] = {
    "CLogFormat", "CRecorder", "CCrashHandler", "CInterposers", "CTestProcess", NULL,
};

static const char *const interposers[] = {
    "accept", "accept4", "clock_nanosleep", "connect", "dlopen", "epoll_pwait", "epoll_wait", "fdatasync", "flock",
    "fsync", "getaddrinfo", "lockf", "msync", "nanosleep", "open", "open64", "openat", "openat64", "poll", "ppoll",
    "pread", "pselect", "pthread_cond_clockwait", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_join",
    "pthread_mutex_clocklock", "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock", "pwrite", "read", "readv", "recv", "recvfrom", "recvmsg", "select", "sem_clockwait",
    "sem_timedwait", "sem_wait", "send", "sendmsg", "sendto", "sleep", "syncfs", "syscall", "usleep", "wait",
    "wait4", "waitid", "waitpid", "write", "writev", NULL,
};

static bool contains(const char *const *names, const char *name, size_t size) {
  for (; *names != NULL; names++) {
    // `size` is read from a mangled name and may exceed the length of the string.
    if (strlen(*names) == size && strncmp(*names, name, size) == 0) return true;
  }
  return false;
}

bool ms_own_module(const char *name) { return contains(modules, name, strlen(name)); }
bool ms_own_adapter(const char *name) { return contains(adapters, name, strlen(name)); }
bool ms_own_folder(const char *name) { return contains(folders, name, strlen(name)); }
bool ms_own_interposer(const char *name) { return contains(interposers, name, strlen(name)); }
const char *const *ms_own_interposers(void) { return interposers; }

/// Returns true if a mangled Swift name, such as `$s11BreadcrumbsMain…`, begins with one of our modules.
static bool is_in_own_module(const char *mangled) {
  if (strncmp(mangled, "$s", 2) != 0) return false;
  const char *module = mangled + 2;
  size_t size = 0;
  while (*module >= '0' && *module <= '9' && size < 100) size = size * 10 + (size_t)(*module++ - '0');
  return contains(modules, module, size) || contains(adapters, module, size);
}

static bool is_in_own_folder(const char *file) {
  if (strstr(file, "/Sources/") == NULL) return false;
  for (const char *end; (end = strchr(file, '/')) != NULL; file = end + 1) {
    if (contains(folders, file, (size_t)(end - file))) return true;
  }
  return false;
}

bool ms_own_function(const char *mangled_name, const char *file) {
  if (strncmp(mangled_name, "ms_", 3) == 0 || is_in_own_module(mangled_name)) return true;
  return file != NULL && is_in_own_folder(file);
}

// Interposes sleeps, and waits for events, processes, name lookups and files.

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

#if MS_STANDS_IN_FRONT

// --- Sleeps

/// The requested duration; UINT64_MAX for an invalid or absolute time.
static uint64_t asked_by(const struct timespec *time, int flags) {
  if (flags & TIMER_ABSTIME || time->tv_sec < 0) return UINT64_MAX;
  return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/// Measures a sleep of `asked` nanoseconds. A short sleep that took long because the processor was busy is not
/// reported. The requested time is read only after the real call, which has validated the pointer.
#define MS_MEASURED_SLEEP(result, name, asked, shape, given) \
  MS_MEASURED_IF((asked) >= ms_blocking_threshold(), result, name, MS_WAITS_FOR_ONE, shape, given)

MS_MEASURED_SLEEP(int, nanosleep, asked_by(time, 0), (const struct timespec *time, struct timespec *rest),
                  (time, rest))
MS_MEASURED_SLEEP(int, clock_nanosleep, asked_by(time, flags),
                  (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
                  (clock, flags, time, rest))
MS_MEASURED_SLEEP(unsigned, sleep, (uint64_t)seconds * 1000000000, (unsigned seconds), (seconds))
MS_MEASURED_SLEEP(int, usleep, (uint64_t)time * 1000, (useconds_t time), (time))

// --- Files, pipes and sockets

/// True if a descriptor is non-blocking: a slow call on such a descriptor was only kept from the processor.
static bool never_waits(int file) {
  int before = errno, flags = fcntl(file, F_GETFL);
  errno = before;
  return flags >= 0 && flags & O_NONBLOCK;
}

/// Measures a function whose first parameter is `file`.
#define MS_MEASURED_FILE(result, name, shape, given) \
  MS_MEASURED_IF(!never_waits(file), result, name, MS_WAITS_FOR_ONE, shape, given)

MS_MEASURED_FILE(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
MS_MEASURED_FILE(ssize_t, pread, (int file, void *bytes, size_t count, off_t at),
            (file, bytes, count, at))
MS_MEASURED_FILE(ssize_t, readv, (int file, const struct iovec *parts, int count),
            (file, parts, count))
MS_MEASURED_FILE(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
MS_MEASURED_FILE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at),
            (file, bytes, count, at))
MS_MEASURED_FILE(ssize_t, writev, (int file, const struct iovec *parts, int count),
            (file, parts, count))
MS_MEASURED_FILE(ssize_t, recv, (int file, void *bytes, size_t count, int flags),
            (file, bytes, count, flags))
MS_MEASURED_FILE(ssize_t, send, (int file, const void *bytes, size_t count, int flags),
            (file, bytes, count, flags))
MS_MEASURED_FILE(ssize_t, recvfrom, (int file, void *bytes, size_t count, int flags, struct sockaddr *address, socklen_t *size),
            (file, bytes, count, flags, address, size))
MS_MEASURED_FILE(ssize_t, recvmsg, (int file, struct msghdr *message, int flags),
            (file, message, flags))
MS_MEASURED_FILE(ssize_t, sendto, (int file, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size),
            (file, bytes, count, flags, address, size))
MS_MEASURED_FILE(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags),
            (file, message, flags))
MS_MEASURED_FILE(int, accept4, (int file, struct sockaddr *address, socklen_t *size, int flags), (file, address, size, flags))
MS_MEASURED_FILE(int, accept, (int file, struct sockaddr *address, socklen_t *size),
            (file, address, size))
MS_MEASURED_FILE(int, connect, (int file, const struct sockaddr *address, socklen_t size),
            (file, address, size))
MS_MEASURED(int, fsync, MS_WAITS_FOR_ONE, (int file), (file))
MS_MEASURED(int, fdatasync, MS_WAITS_FOR_ONE, (int file), (file))
MS_MEASURED(int, syncfs, MS_WAITS_FOR_ONE, (int file), (file))
MS_MEASURED(int, msync, MS_WAITS_FOR_ONE, (void *start, size_t size, int flags), (start, size, flags))
MS_MEASURED(int, flock, MS_WAITS_FOR_ONE, (int file, int how), (file, how))
MS_MEASURED(int, lockf, MS_WAITS_FOR_ONE, (int file, int how, off_t size), (file, how, size))

static mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? va_arg(arguments, mode_t) : 0;
}

#define MS_OPENS(name, shape, given) \
  MS_IN_FRONT int name shape { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    MS_REAL(name); \
    if (!ms_is_asked()) return real given; \
    ms_call call = ms_call_begins(#name, MS_WAITS_FOR_ONE, caller); \
    int value = real given; \
    if (ms_call_was_long(&call)) ms_call_took(#name, MS_WAITS_FOR_ONE, call.begin, call.end, 1, caller); \
    return value; \
  }

MS_OPENS(open, (const char *path, int flags, ...), (path, flags, mode))
MS_OPENS(open64, (const char *path, int flags, ...), (path, flags, mode))
MS_OPENS(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
MS_OPENS(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

// --- Events

MS_MEASURED(int, poll, MS_WAITS_FOR_EVENTS, (struct pollfd *files, nfds_t count, int timeout),
            (files, count, timeout))
MS_MEASURED(int, ppoll, MS_WAITS_FOR_EVENTS,
            (struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask),
            (files, count, timeout, mask))
MS_MEASURED(int, pselect, MS_WAITS_FOR_EVENTS,
            (int count, fd_set *reading, fd_set *writing, fd_set *failing, const struct timespec *timeout,
             const sigset_t *mask),
            (count, reading, writing, failing, timeout, mask))
MS_MEASURED(int, select, MS_WAITS_FOR_EVENTS,
            (int count, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *timeout),
            (count, reading, writing, failing, timeout))
MS_MEASURED(int, epoll_wait, MS_WAITS_FOR_EVENTS, (int file, struct epoll_event *events, int room, int timeout),
            (file, events, room, timeout))
MS_MEASURED(int, epoll_pwait, MS_WAITS_FOR_EVENTS,
            (int file, struct epoll_event *events, int room, int timeout, const sigset_t *mask),
            (file, events, room, timeout, mask))

// --- Others

MS_MEASURED(pid_t, waitpid, MS_WAITS_FOR_ONE, (pid_t process, int *status, int options),
            (process, status, options))
MS_MEASURED(pid_t, wait, MS_WAITS_FOR_ONE, (int *status), (status))
MS_MEASURED(pid_t, wait4, MS_WAITS_FOR_ONE, (pid_t process, int *status, int options, struct rusage *used),
            (process, status, options, used))
MS_MEASURED(int, waitid, MS_WAITS_FOR_ONE, (idtype_t kind, id_t which, siginfo_t *info, int options),
            (kind, which, info, options))
MS_MEASURED(int, getaddrinfo, MS_WAITS_FOR_ONE,
            (const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found),
            (host, service, hints, found))

/// Tail-calls the real function for a library name without a directory: the loader searches the paths of the library
/// that calls the real function.
MS_IN_FRONT void *dlopen(const char *path, int mode) {
  MS_REAL(dlopen);
  if (!ms_is_asked() || path == NULL || strchr(path, '/') == NULL || strchr(path, '$') != NULL) {
    __attribute__((musttail)) return real(path, mode);
  }
  ms_call call = ms_call_begins("dlopen", MS_WAITS_FOR_ONE, caller);
  void *library = real(path, mode);
  if (ms_call_was_long(&call)) ms_call_took("dlopen", MS_WAITS_FOR_ONE, call.begin, call.end, 1, caller);
  return library;
}

#endif

/// The modules of the library itself: what stands between a program's code and a crumb of it.
package enum OwnModules {
  /// Of Swift code.
  package static let swift: Set<String> = [
    "ThreadAffinity", "Breadcrumbs", "BreadcrumbNotifications", "CrashCapture", "Mainstay",
    "AffinityTesting", "BlockingCalls", "CrashTesting", "LogWords", "PastDeaths",
  ]

  /// Of Swift code that packages of others call, and that calls them: what they trip over is no check of ours.
  package static let adapters: Set<String> = [
    "MainstayHummingbird", "MainstayLifecycle", "MainstayMetrics", "MainstayNIO",
    "MainstaySwiftLog", "MainstayTracing",
  ]

  /// What the names of all functions of C begin with that can be seen outside their files.
  package static let functionPrefix = "ms_"

  /// The folders of C code, whose functions belong to the program's module if they are linked into the program.
  package static let folders: Set<Substring> = [
    "CLogFormat", "CRecorder", "CCrashHandler", "CInterposers", "CTestProcess",
  ]

  /// Functions of the C library that stand in a program too, in front of the real ones: where files are not
  /// known, these names alone tell that they are none of the program's.
  package static let inFrontOfC: Set<String> = [
    "accept", "accept4", "clock_nanosleep", "connect", "dlopen", "epoll_pwait", "epoll_wait",
    "fdatasync", "flock", "fsync", "getaddrinfo", "lockf", "msync", "nanosleep", "open", "open64",
    "openat", "openat64", "poll", "ppoll", "pread", "pselect", "pthread_cond_clockwait",
    "pthread_cond_timedwait", "pthread_cond_wait", "pthread_join", "pthread_mutex_clocklock",
    "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock", "pwrite", "read", "readv", "recv", "recvfrom", "recvmsg", "select",
    "sem_clockwait", "sem_timedwait", "sem_wait", "send", "sendmsg", "sendto", "sleep", "syncfs",
    "syscall", "usleep", "wait", "wait4", "waitid", "waitpid", "write", "writev",
  ]

  /// Swift's mangling puts the module's name first, its length before it.
  private static let manglings = swift.union(adapters).map { "$s\($0.utf8.count)\($0)" }

  /// Returns whether a function is one of Mainstay's: by its name, or by its file if that is one of C, whose local functions
  /// have any name.
  package static func own(mangledName name: String, file: String?) -> Bool {
    if name.hasPrefix(functionPrefix) || manglings.contains(where: name.hasPrefix) { return true }
    guard let file, file.contains("/Sources/") else { return false }
    return file.split(separator: "/").dropLast().contains(where: folders.contains)
  }
}

import Foundation
import ProcessTesting
import Testing

@Suite("The handler's objects", .enabled(if: !isSanitized))
struct AllowedCallsTests {
  /// What a handler of ours may call or read outside our own code: system calls, functions that
  /// POSIX or glibc's manual has as async-signal-safe, and what the compiler calls by itself. None is
  /// a cancellation point, at which a thread that is to be cancelled would leave its crash.
  private static let allowed: Set<String> = [
    "memcmp", "memcpy", "memset", "strlen", "strnlen", "strncmp", "strncpy",
    "getpid", "getuid", "syscall", "sched_yield", "clock_gettime", "sigaction",
    "__errno_location",
    // On arm64: whether the processor has an instruction, which the kernel handed over at the start.
    "_dl_find_object", "__libc_stack_end", "getauxval",
  ]

  /// Every object whose code runs in a handler, and what more it may name.
  private static let objects: [(path: String, more: Set<String>)] = [
    ("CCrashHandler.build/crash_handler.c.o", []),
    ("CCrashHandler.build/crash_details.c.o", []),
    // `ms_thread_ask`, which the watchdog calls, and the rehearsal are outside of handlers.
    ("CCrashHandler.build/other_threads.c.o", ["getcontext"]),
    ("CCrashHandler.build/held_threads.c.o", []),
    ("CCrashHandler.build/fault_recovery.c.o", []),
    ("CCrashHandler.build/registers.c.o", []),
    ("CCrashHandler.build/work_stack.c.o", []),
    ("CCrashHandler.build/routine_faults.c.o", []),
    ("CCrashHandler.build/task.c.o", []),
    ("CCrashHandler.build/crumb_context.c.o", []),
    ("CCrashHandler.build/task_name.c.o", []),
    ("CCrashHandler.build/thread_list.c.o", []),
    ("CCrashHandler.build/thread_record.c.o", []),
    // Its hooks are called by throws, outside of handlers.
    (
      "CCrashHandler.build/thrown_errors.c.o", ["_swift_setWillThrowHandler", "_swift_willThrow"]
    ),
    ("CCrashHandler.build/waiting_tasks.c.o", []),
    ("CCrashHandler.build/memory_map.c.o", []),
    ("CCrashHandler.build/watch_calls.c.o", []),
    // The runtime's variables for debuggers.
    (
      "CCrashHandler.build/task_scan.c.o",
      [
        "_swift_concurrency_debug_asyncTaskMetadata", "_swift_concurrency_debug_asyncTaskSize",
        "_swift_concurrency_debug_internal_layout_version",
        "_swift_concurrency_debug_future_adapter", "_swift_concurrency_debug_non_future_adapter",
      ]
    ),
    // Calls libunwind in a child that it kills; its page is mapped before a crash.
    ("CCrashHandler.build/forked_walk.c.o", ["mmap", "pthread_setcancelstate"]),
    ("CRecorder.build/signals/dispositions.c.o", ["pthread_mutex_lock", "pthread_mutex_unlock"]),
    ("CRecorder.build/signals/forward.c.o", []),
    ("CRecorder.build/signals/library_copies.c.o", []),
    ("CRecorder.build/signals/interrupted_stack.c.o", []),
    ("CRecorder.build/log/crash_area.c.o", []),
    ("CRecorder.build/log/faults.c.o", ["sigaltstack"]),
    // Asks whether the processor has the instruction that sums.
    ("CRecorder.build/log/record.c.o", ["__cpu_model"]),
    // The runtime's own loads from a task, and from what it keeps for each thread.
    (
      "CRecorder.build/runtime/task.c.o",
      [
        "swift_task_getCurrent", "swift_task_getJobTaskId", "swift_task_currentPriority",
        "swift_task_getCurrentExecutor", "swift_task_getMainExecutor",
        "swift_task_isCurrentExecutorWithFlags", "swift_task_isCancelled",
        "swift_task_localValueGet",
      ]
    ),
    // What reads the tests' variable runs before `main`.
    ("CRecorder.build/runtime/facts.c.o", ["getenv", "strcspn"]),
    ("CRecorder.build/runtime/module.c.o", ["strrchr"]),
    ("CRecorder.build/walk/address.c.o", []),
    ("CRecorder.build/walk/async.c.o", []),
    ("CRecorder.build/walk/eh_frame.c.o", []),
    ("CRecorder.build/walk/expression.c.o", []),
    ("CRecorder.build/walk/frame_pointers.c.o", []),
    ("CRecorder.build/walk/row.c.o", []),
    ("CRecorder.build/walk/rule_table.c.o", []),
    ("CRecorder.build/walk/stack_memory.c.o", []),
    ("CRecorder.build/walk/stepper.c.o", []),
    ("CRecorder.build/walk/walk.c.o", []),
  ]

  @Test("call only what a handler may call")
  func callOnlyWhatIsAllowed() throws {
    for (path, more) in Self.objects {
      // An atomic operation on arm64 may be a function of the compiler's own.
      let outside = try undefinedSymbols(of: path).filter {
        !$0.hasPrefix("ms_") && !$0.hasPrefix("__aarch64_")
      }
      let forbidden = Set(outside).subtracting(Self.allowed).subtracting(more)
      #expect(forbidden.isEmpty, "\(path) names \(forbidden.sorted())")
    }
  }

  /// What runs in handlers of ours and out of them: what it may call there is for its own lines to
  /// say, but none of it may be a cancellation point.
  @Test(
    "call no cancellation point",
    arguments: [
      "CRecorder.build/signals/dispositions.c.o", "CRecorder.build/signals/forward.c.o",
      "CRecorder.build/signals/watch.c.o", "CRecorder.build/queue/queue_state.c.o",
      "CRecorder.build/queue/thread.c.o", "CRecorder.build/log/append.c.o",
      "CRecorder.build/log/chunks.c.o",
    ])
  func callNoCancellationPoint(object: String) throws {
    let called = Set(try undefinedSymbols(of: object))
    #expect(called.isDisjoint(with: Self.cancellationPoints))
  }

  /// Those of man 7 pthreads that take a file, sleep or wait.
  private static let cancellationPoints: Set<String> = [
    "open", "open64", "openat", "openat64", "creat", "close", "read", "write", "pread", "pread64",
    "pwrite", "pwrite64", "readv", "writev", "fcntl", "fcntl64", "fsync", "fdatasync", "msync",
    "lockf", "ioctl", "poll", "ppoll", "select", "pselect", "nanosleep", "clock_nanosleep",
    "usleep", "sleep", "pause", "wait", "waitpid", "waitid", "wait4", "sigsuspend", "sigwait",
    "sigwaitinfo", "sigtimedwait", "sem_wait", "sem_timedwait", "pthread_join",
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_testcancel", "system", "syslog",
    "fopen", "fclose", "fread", "fwrite", "printf", "fprintf", "dprintf", "perror", "opendir",
    "readdir", "dlopen", "strerror",
  ]

  @Test("are all listed but those that run before a crash")
  func allObjectsAreListed() throws {
    let sources = Repository.root.appendingPathComponent("Sources/Crash/CCrashHandler")
    let objects = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".c") || $0.hasSuffix(".cpp") }.map { $0 + ".o" }
    try #require(objects.count > 5)
    let known = Set(Self.objects.map { ($0.path as NSString).lastPathComponent })
    let outside: Set = [
      "alternate_stacks.c.o", "stack_pool.c.o", "install.c.o", "hang_watch.c.o",
      "message_sources.c.o",
      "uncaught_exception.cpp.o", "wait_crumbs.c.o", "hang_crumbs.c.o", "executor_holders.c.o",
      "thread_times.c.o", "watched_executors.c.o", "used_pools.c.o", "blocked_thread.c.o",
      "blocked_loops.c.o", "lock_owner.c.o", "queue_owner.c.o", "requests_in_flight.c.o",
      "standing_threads.c.o",
    ]
    #expect(Set(objects).subtracting(known).subtracting(outside) == [])
  }

  private func undefinedSymbols(of object: String) throws -> [String] {
    let listed = try ChildProcess.run(
      path: "/usr/bin/env", ["nm", "-u", "-j", "\(ChildProcess.directory)/\(object)"], [:])
    try #require(listed.status == 0 && listed.signal == 0, "\(listed.errors)")
    return listed.output.split(separator: "\n").map(String.init)
  }
}

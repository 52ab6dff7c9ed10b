import Glibc
import ProcessTesting

extension Trial {
  /// Every trial of the table.
  public static let all: [Trial] =
    faults + aborts + exceptions + swiftDeaths + tasks + namedTasks + circumstances + children

  /// One for each signal that a process can die of.
  public static let oneForEachSignal: [Trial] = {
    let plain = all.filter {
      $0.signal != 0 && $0.expectation == .crash && $0.place == "main" && $0.environment.isEmpty
    }
    return Set(plain.map(\.signal)).sorted().compactMap { signal in
      plain.first { $0.signal == signal }
    }
  }()

  /// A few of each kind, and one for each signal.
  public static let quick: [Trial] =
    fewOfEachKind
    + oneForEachSignal.filter { trial in
      !fewOfEachKind.contains { $0.way == trial.way && $0.place == trial.place }
    }

  private static let fewOfEachKind: [Trial] = all.filter { trial in
    [
      "null-read", "call-null", "stack-overflow", "assert", "uncaught-exception", "fatal-error",
      "actor-isolation", "killed-by-child", "two-at-once", "loader-lock-held", "blocking-thread",
      "recovered", "recovered-often", "after-uninstall", "walk-broken", "walk-broken-elsewhere",
      "walk-broken-meanwhile", "throw-at-top-level", "named-task", "named-task-locked",
      "child-task", "task-memory-misused", "continuation-lost",
      "silent-thread", "spawned-child", "vforked-child",
      "cancelled", "cancelled-meanwhile", "no-descriptors", "closed-descriptors",
    ].contains(trial.way) && trial.environment.isEmpty
  }

  /// Every way to crash in one place of all, with nothing but the defaults around it.
  public static let oncePerWay: [Trial] = all.filter { trial in
    trial.expectation == .crash && trial.environment.isEmpty
      && trial.place == all.first { $0.way == trial.way && $0.environment.isEmpty }?.place
  }

  /// Those that the kernel kills for what they need.
  public static let shortOfMemory: [Trial] = all.filter(\.isShortOfMemory)

  private static let faults: [Trial] =
    fault("null-read", SIGSEGV).at("main", "worker", "thread", "task")
    + [
      fault("bad-pointer", SIGSEGV), fault("write-readonly", SIGSEGV),
      fault("jump-to-data", SIGSEGV).secondFrame, fault("call-null", SIGSEGV).secondFrame,
      fault("undefined-instruction", SIGILL), fault("trap", Trap.signal),
      fault("breakpoint", SIGTRAP), fault("truncated-mapping", SIGBUS),
      Trial(way: "system-call", signal: SIGSYS, function: "die_system_call"),
      fault("stack-smashed-at-top", SIGSEGV, "smash_upwards"),
      fault("stack-smashed-at-bottom", SIGSEGV, "fault_below"),
      Trial(way: "in-library", signal: SIGSEGV, function: "fault_in_library", isAtFault: true),
      Trial(
        way: "loader-lock-held", signal: SIGSEGV, function: "fault_in_callback", isAtFault: true),
      fault("loader-lock-elsewhere", SIGSEGV), fault("mutex-held", SIGSEGV),
      Trial(way: "out-of-memory", signal: SIGSEGV, function: "die_out_of_memory"),
      fault("disk-full", SIGSEGV),
    ]
    + fault("stack-overflow", SIGSEGV, "descend").at("main", "worker", "thread", "task").map {
      trial in
      var trial = trial
      trial.asyncCallers = []
      return trial
    } + machineFaults

  #if arch(x86_64)
    private static let machineFaults = [
      fault("divide-by-zero", SIGFPE), fault("privileged-instruction", SIGSEGV),
      fault("wild-pointer", SIGSEGV),
      fault("misaligned", SIGBUS),
    ]
  #else
    private static let machineFaults: [Trial] = []
  #endif

  private static let aborts: [Trial] =
    abort("abort").at("main", "worker") + [
      abort("assert", text: "the till is balanced"), abort("double-free", text: "double free"),
      abort("heap-smash", text: "malloc"), abort("malloc-lock-held", text: "malloc"),
      Trial(way: "raised", signal: SIGSEGV, function: "die_raised", check: sentByItself),
      Trial(
        way: "killed-by-child", signal: SIGSEGV, function: "die_killed_by_child",
        check: sentByAnother),
      Trial(way: "quit", signal: SIGQUIT, function: "dieByQuit"),
    ]

  private static let exceptions: [Trial] =
    abort("uncaught-exception", text: "the till is short by 3").at("main", "worker") + [
      abort("bare-throw"), abort("throw-across-callback", "compare", text: "not comparable"),
    ]

  private static let swiftDeaths: [Trial] =
    swift("fatal-error", "dieByFatalError", text: "the till does not add up")
    .at("main", "worker", "thread", "task")
    + [
      swift("precondition", "dieByPrecondition", text: "one is not two", debugOnly: true),
      swift("bounds", "dieByBounds", text: "Index out of range", debugOnly: true),
      swift("nil", "dieByNil", text: "Unexpectedly found nil", debugOnly: true),
      swift("overflow", "dieByOverflow"),
      throwing(swift("try", "dieByTry", text: "TillError(missing: 3)")),
      throwing(
        swift("throw-at-top-level", "main", text: "top level: victim.TillError(missing: 3)")),
      swift("cast", "dieByCast", SIGABRT, text: "Could not cast value"),
      swift("exclusivity", "dieByExclusivity", SIGABRT, text: "access conflict"),
      swift("dead-unowned", "dieByDeadUnowned", SIGABRT, text: "unowned reference"),
      swift(
        "task-memory-misused", "die_task_memory", SIGABRT,
        text: "freed pointer was not the last allocation"),
      Trial(
        way: "continuation-lost", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
        check: { view in
          view.crash.texts.isEmpty ? nil : "it is said to have died of \(view.crash.texts)"
        }),
      swift("continuation-twice", "resumeTwice", text: "CONTINUATION MISUSE"),
      swift("main-sync-on-main", "dieByMainSync"),
    ] + swift("dispatch-precondition", "dieByDispatchPrecondition").at("worker", "thread")
    + swift("actor-isolation", "dieByActorIsolation").at("worker", "thread")
    + swift("swift-stack-overflow", "descend", SIGSEGV).at("main", "worker", "thread")

  private static let circumstances: [Trial] = [
    Trial(way: "two-at-once", signal: SIGSEGV, function: "crash_together", check: mentionsSecond),
    Trial(
      way: "walk-broken", place: "worker", signal: Trap.signal, function: "dieByFatalError",
      text: "the till does not add up", check: survivedFault),
    Trial(
      way: "walk-broken-elsewhere", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: namesLost),
    Trial(
      way: "walk-broken-meanwhile", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: mentionsSecondOnce),
    Trial(
      way: "many-threads", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: { $0.threads(named: "waiting", walked: 1000) }),
    Trial(
      way: "many-threads-hurried", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      mayBreakOffRecords: true, check: leavesNobodyOut),
    Trial(
      way: "blocking-thread", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: namesBlocked),
    Trial(
      way: "no-descriptors", signal: SIGSEGV, function: "die_without_descriptors",
      isAtFault: true, check: { $0.threads(named: "waiting", walked: 6) }),
    Trial(
      way: "closed-descriptors", signal: SIGSEGV, function: "die_after_closing_descriptors",
      isAtFault: true,
      check: { $0.crash.isListIncomplete ? nil : "nothing says that threads are missing" }),
    Trial(
      way: "cancelled", signal: SIGSEGV, function: "crash_to_be_cancelled", isAtFault: true),
    Trial(
      way: "cancelled-meanwhile", signal: SIGSEGV, function: "crash_cancellable_anywhere",
      isAtFault: true),
    Trial(way: "recovered", expectation: .nothing, signal: 0, function: ""),
    Trial(
      way: "recovered-then-not", signal: SIGSEGV, function: "die_null_read", isAtFault: true),
    Trial(
      way: "recovered-often", signal: SIGSEGV, function: "touch", isAtFault: true,
      check: { $0.functions.count > 2 ? nil : "only \($0.functions.count) frames" }),
    Trial(way: "before-install", expectation: .nothing, signal: SIGSEGV, function: ""),
    Trial(way: "after-uninstall", expectation: .nothing, signal: SIGSEGV, function: ""),
    chained("null-read", SIGSEGV, "die_null_read"),
    chained("fatal-error", Trap.signal, "dieByFatalError"),
    chained("abort", SIGABRT, "die_abort"),
    Trial(
      way: "silent-thread", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: ranOutOfTime),
    byLibunwind("null-read", SIGSEGV, "die_null_read"),
    byLibunwind("loader-lock-elsewhere", SIGSEGV, "die_loader_lock_elsewhere"),
    byLibunwind("stack-smashed-at-top", SIGSEGV, "smash_upwards"),
  ]

  private static let tasks = [
    Trial(
      way: "task-with-context", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      asyncCallers: ["outerAsync"],
      check: { view in
        let words = view.crash.contextWords
        return words == "with order: 42, item: hammer" ? nil : "it says \(words ?? "nothing")"
      }),
    inTask("executor-task") { "task \($0) (medium) on an executor" },
    inTask("main-actor-task") { "task \($0) (medium) on MainActor" },
  ]

  #if compiler(>=6.2)
    private static let namedTasks =
      ["named-task", "named-task-locked"].map { way in
        Trial(
          way: way, signal: SIGSEGV, function: "die_null_read", isAtFault: true,
          asyncCallers: ["outerAsync"],
          check: { view in
            let name = view.crash.task?.name
            return name == "refresh the till" ? nil : "the task's name is \(name ?? "not there")"
          })
      } + [
        inTask("child-task") {
          "task \($0) “close the ledger” (low) on an actor"
        }
      ]
  #else
    private static let namedTasks: [Trial] = []
  #endif

  /// A death in a task of which everything is known.
  private static func inTask(
    _ way: String, _ words: @escaping @Sendable (UInt64) -> String
  ) -> Trial {
    Trial(
      way: way, signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: { view in
        let task = view.crash.task
        let isRight = task.map { $0.id > 0 && $0.words == words($0.id) } ?? false
        return isRight ? nil : "it was in \(task?.words ?? "no task")"
      })
  }

  private static let children: [Trial] = [
    Trial(way: "forked-child", expectation: .nothing, signal: 0, function: ""),
    Trial(way: "spawned-child", expectation: .nothing, signal: 0, function: ""),
    Trial(
      way: "vforked-child", signal: SIGSEGV, function: "die_null_read", isAtFault: true,
      check: { view in
        view.crash.kernelID == view.process && view.crash.others.isEmpty
          ? nil : "the child's crash is in the log"
      }),
    Trial(
      way: "killed-for-memory", expectation: .nothing, signal: 0, function: "",
      ending: "outOfMemory, certain", isShortOfMemory: true),
  ]

  /// With Swift's own backtracer behind us.
  private static func chained(_ way: String, _ signal: Int32, _ function: String) -> Trial {
    Trial(
      way: way, signal: signal, function: function, environment: ["SWIFT_BACKTRACE": "enable=yes"])
  }

  /// Where there are no rules to walk by.
  private static func byLibunwind(_ way: String, _ signal: Int32, _ function: String) -> Trial {
    Trial(
      way: way, signal: signal, function: function, isAtFault: true,
      environment: ["MAINSTAY_WALK": "libunwind"])
  }

  /// Of an error, whose thrower is told too.
  private static func throwing(_ trial: Trial) -> Trial {
    var trial = trial
    trial.check = { view in
      view.throwers.prefix(2).contains("throwing()")
        ? nil : "thrown by \(view.throwers.first ?? "nobody")"
    }
    return trial
  }

  /// The jump leaves a frame of its own where no code is; the function is the one that jumped.
  private var secondFrame: Trial {
    var trial = self
    trial.isAtFault = false
    return trial
  }

  private static let sentByItself: @Sendable (CrashView) -> String? = { view in
    view.crash.sender.map { $0.process == view.process ? nil : "sent by \($0.process)" }
      ?? "no sender"
  }

  private static let sentByAnother: @Sendable (CrashView) -> String? = { view in
    guard let sender = view.crash.sender else { return "no sender" }
    return sender.process != view.process && sender.process > 0 && sender.user == Int(getuid())
      ? nil : "sent by \(sender)"
  }

  private static let mentionsSecond: @Sendable (CrashView) -> String? = { view in
    view.crash.others.contains { $0.role == .otherThread } ? nil : "the second is not mentioned"
  }

  private static let mentionsSecondOnce: @Sendable (CrashView) -> String? = { view in
    let times = view.crash.others.filter { $0.role == .otherThread }.count
    return times == 1 ? nil : "the second is mentioned \(times) times"
  }

  private static let survivedFault: @Sendable (CrashView) -> String? = { view in
    view.crash.others.contains { $0.role == .whileRecording } ? nil : "no fault while recording"
  }

  /// A thread that meets a fault while it tells its stack says so; it is no crash, and delays none.
  private static let namesLost: @Sendable (CrashView) -> String? = { view in
    let crash = view.crash
    guard crash.otherThreads.contains(where: { $0.name == "broken" && $0.source == .lost }) else {
      return "the thread that lost its way is not named"
    }
    if crash.isOutOfTime { return "it was waited for" }
    return crash.others.isEmpty ? nil : "its fault is told as a crash, \(crash.others.count) times"
  }

  private static let ranOutOfTime: @Sendable (CrashView) -> String? = { view in
    let crash = view.crash
    guard crash.isOutOfTime else { return "time did not run out" }
    guard crash.otherThreads.contains(where: { $0.name == "silent" && $0.source == .noAnswer })
    else { return "the thread that does not answer is not named" }
    guard crash.walkedCount == crash.threadCount - 1 else {
      return "\(crash.walkedCount) of \(crash.threadCount) threads are said to have answered"
    }
    return view.threads(named: "waiting", walked: 8)
  }

  /// Within a millisecond some tell their stacks, and the others are named.
  private static let leavesNobodyOut: @Sendable (CrashView) -> String? = { view in
    let crash = view.crash
    let told = crash.otherThreads.filter { !$0.stack.frames.isEmpty }.count
    // qemu has a thread of its own in each process.
    let others = isUnderQemu ? 1001 : 1000
    guard crash.threadCount == others + 1, crash.otherThreads.count == others else {
      return "\(crash.otherThreads.count) of \(crash.threadCount) threads are there"
    }
    guard crash.isOutOfTime || told == 1000 else { return "only \(told) threads gave their stacks" }
    return crash.walkedCount <= told + 1 ? nil : "\(crash.walkedCount) walked, \(told) told"
  }

  private static let namesBlocked: @Sendable (CrashView) -> String? = { view in
    view.crash.otherThreads.contains { $0.name == "blocking" && $0.source == .blocked }
      ? nil : "the thread that blocks signals is not named"
  }
}

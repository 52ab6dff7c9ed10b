import Breadcrumbs
import CTrials
import Glibc

extension Trials {
  /// Opens a log under limits: `files N`, `size N`, `user N`, `umask N`; says how it went and waits.
  static func open(_ path: String, _ arguments: [String]) {
    for pair in stride(from: 0, to: arguments.count - 1, by: 2) {
      impose(arguments[pair], Int(arguments[pair + 1]) ?? 0)
    }
    let recorder = recorder(path)
    recorder.record("opened")
    print("opened \(recorder.path)")
    waitForTest()
  }

  private static func impose(_ what: String, _ amount: Int) {
    let limit = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
    var result: Int32 = -1
    switch what {
    case "files": result = withUnsafePointer(to: limit) { setrlimit(__rlimit_resource_t(7), $0) }
    case "size": result = withUnsafePointer(to: limit) { setrlimit(__rlimit_resource_t(1), $0) }
    case "user": result = setuid(uid_t(amount))
    case "umask":
      umask(mode_t(amount))
      result = 0
    default: break
    }
    if result != 0 {
      print("cannot impose \(what)")
      exit(4)
    }
  }

  /// One run of a crash loop: says which it is, in the log, and is killed.
  static func crashLoop(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path, capacity: 256 << 10, keepingLast: Int(arguments[1]) ?? 0)
    recorder.record("run \(arguments[0])")
    kill(getpid(), SIGKILL)
  }

  /// Ends in one of several ways.
  static func end(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    recorder.record("before the end")
    switch arguments.first {
    case "return": return
    case "exit": exit(9)
    case "_exit": _exit(9)
    case "kill": kill(getpid(), SIGKILL)
    case "abort": abort()
    case "close":
      recorder.close()
      recorder.record("after the end")
      _exit(9)
    default: exit(64)
    }
  }

  /// Opens and closes many logs, one after the other.
  static func reopen(_ path: String, _ arguments: [String]) {
    for number in 1...(Int(arguments[0]) ?? 1) {
      let recorder = recorder(path, capacity: 256 << 10, keepingLast: 2)
      recorder.record("log \(number)")
      recorder.close()
    }
    print("reopened")
  }

  /// Records under a durability, without asking for a flush: under `machine` until there have been three,
  /// under `process` for a while.
  static func sync(_ path: String, _ arguments: [String]) {
    let isForMachine = arguments[0] == "machine"
    let recorder = recorder(
      path, durability: isForMachine ? .machine(syncEvery: .milliseconds(20)) : .process)
    recorder.record("to be synced")
    if !isForMachine { usleep(300_000) }
    while isForMachine && ms_trial_file_syncs() < 3 { usleep(5_000) }
    print("synced \(ms_trial_file_syncs()) \(ms_trial_directory_syncs())")
    print("flushed \(recorder.flush())")
    ms_trial_refuse_syncs()
    print("flushed \(recorder.flush())")
    recorder.record("after a refusal")
    recorder.close()
  }
}

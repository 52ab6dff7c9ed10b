import Breadcrumbs
import CTrials
import Glibc

/// Hosts that block signals, reuse descriptors, lower limits, lock memory and cancel threads.
extension Trials {
  nonisolated(unsafe) private static var shared: BreadcrumbRecorder?
  nonisolated(unsafe) private static var sharedPath = ""

  private static func cutShort(_ path: String) {
    if Glibc.truncate(path, 64 << 10) != 0 { print("error: cannot cut \(path)") }
  }

  private static func recordUntilStopped(_ recorder: BreadcrumbRecorder) {
    while recorder.isRecording { recorder.record("still there", data: ["more": "than nothing"]) }
  }

  /// All signals blocked, before the recorder is opened; and then `cut`: the file is cut short;
  /// `wait`: the host waits for the SIGBUS that somebody sends.
  static func masked(_ path: String, _ arguments: [String]) {
    ms_trial_block_all_signals()
    let recorder = recorder(path, automatic: arguments[0] == "cut" ? .all : .start)
    recorder.record("before")
    if arguments[0] == "wait" {
      for _ in 0..<2 { print("waited \(ms_trial_wait_for_own(SIGBUS))") }
      return recorder.close()
    }
    let others = 3
    for _ in 0..<others { Threads.start { recordUntilStopped(recorder) } }
    cutShort(path)
    recordUntilStopped(recorder)
    print("lives, records \(recorder.isRecording)")
    recorder.close()
  }

  /// A daemon closes what it did not open, opens files of its own, and goes on recording: to the
  /// recorder's end (`close`), or until the log is cut short (`cut`).
  static func descriptors(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    recorder.record("before")
    ms_trial_close_descriptors(3)
    ms_trial_open_files(path)
    if arguments[0] == "cut" {
      cutShort(path)
      recordUntilStopped(recorder)
    }
    recorder.record("after")
    recorder.flush()
    recorder.close()
    print("files as they were \(ms_trial_files_as_they_were(path) != 0)")
  }

  /// Standard input, output and error are closed when the log is opened.
  static func standard(_ path: String, _ arguments: [String]) {
    let output = dup(1)
    for file in Int32(0)...2 { Glibc.close(file) }
    let recorder = recorder(path)
    recorder.record("before")
    let free = (Int32(0)...2).allSatisfy { fcntl($0, F_GETFD) < 0 }
    dup2(output, 1)
    print("standard descriptors left free \(free)")
    recorder.close()
  }

  /// The limit on file sizes is lowered, then the log is cut short.
  static func size(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path)
    recorder.record("before")
    if ms_trial_limit_file_size(16) != 0 { print("error: no limit") }
    cutShort(path)
    recordUntilStopped(recorder)
    print("lives")
    recorder.close()
  }

  /// Logs are opened and closed, one after the other, in a host that locks its memory (`lock`), or
  /// has little address space (`space`). Says how much is locked with the first open, and closed.
  static func cycles(_ path: String, _ arguments: [String]) {
    sharedPath = path
    openAndRecord().close()  // what is needed once is there now
    let locks = arguments[0] == "lock"
    let result = locks ? ms_trial_lock_memory() : ms_trial_limit_address_space(96 << 20)
    if result != 0 { return print("cannot impose") }
    let before = ms_trial_locked_kibibytes()
    for cycle in 1...(Int(arguments[1]) ?? 1) {
      let recorder = openAndRecord()
      if cycle == 1 { print("open \(ms_trial_locked_kibibytes() - before)") }
      recorder.close()
      if cycle == 1 { print("closed \(ms_trial_locked_kibibytes() - before)") }
    }
    print("at last \(ms_trial_locked_kibibytes() - before)")
  }

  private static func openAndRecord() -> BreadcrumbRecorder {
    let recorder = recorder(sharedPath, capacity: 8 << 20, keepingLast: 1, automatic: [])
    shared = recorder
    recorder.record("main")
    return recorder
  }

  /// A thread is cancelled while it flushes, and another while it opens a log.
  static func cancel(_ path: String, _ arguments: [String]) {
    sharedPath = path + ".other"
    shared = recorder(path)
    let before = ms_trial_descriptors()
    print("cancelled \(ms_trial_run_cancelled { Trials.shared?.flush() } != 0)")
    shared?.close()
    print("closed")
    shared = nil
    _ = ms_trial_run_cancelled { Trials.shared = Trials.recorder(Trials.sharedPath) }
    print("opened \(shared != nil), descriptors left \(ms_trial_descriptors() - before)")
    shared?.record("by whoever is left")
    shared?.close()
    recorder(sharedPath).close()
    print("opened again")
  }

  /// Threads that record in every round of their keys' destructors.
  static func rounds(_ path: String, _ arguments: [String]) {
    shared = recorder(path, automatic: [])
    ms_trial_threads_with_destructors(Int32(arguments[0]) ?? 1) { Trials.shared?.record("round") }
    ms_trial_threads_with_destructors(1) { Trials.shared?.record("at last") }
    shared?.close()
  }
}

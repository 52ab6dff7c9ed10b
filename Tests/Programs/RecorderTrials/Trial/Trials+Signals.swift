import Breadcrumbs
import CTrials
import Dispatch
import Foundation

extension Trials {
  /// A host with its own ideas of a signal: `with|without SIGNAL HANDLER WHEN SENDER COUNT`.
  ///
  /// HANDLER is `none`, `ignore`, or a mixture of `plain`, `info`, `once` and `chained`; WHEN is
  /// `before`, `after` or `both` (of the recorder's opening); SENDER is `raise` or `test`.
  static func signal(_ path: String, _ arguments: [String]) {
    let number = Int32(arguments[1]) ?? 0
    let when = arguments[3]
    if when != "after" { install(arguments[2], number) }
    let recorder = arguments[0] == "with" ? recorder(path) : nil
    if when != "before" { install(arguments[2], number) }
    for _ in 0..<(Int(arguments[5]) ?? 1) {
      if arguments[4] == "raise" {
        raise(number)
      } else {
        print("ready")
        waitForTest()
      }
    }
    print("lives, handled \(ms_trial_handled())")
    recorder?.close()
    _exit(0)
  }

  private static func install(_ handler: String, _ number: Int32) {
    if handler == "none" { return }
    if handler == "ignore" {
      Glibc.signal(number, SIG_IGN)
      return
    }
    var how: UInt32 = 0
    if handler.contains("info") { how |= MS_TRIAL_SIGINFO.rawValue }
    if handler.contains("once") { how |= MS_TRIAL_ONCE.rawValue }
    if handler.contains("chained") { how |= MS_TRIAL_CHAINED.rawValue }
    ms_trial_handle(number, Int32(how))
  }

  /// A host that hears of a signal by DispatchSources: `with|without|standard|told SIGNAL STEPS LOOP`. With
  /// `standard` it has a recorder with the standard set of automatic crumbs; with `told` it also tells that recorder.
  static func source(_ path: String, _ arguments: [String]) {
    let host = SourceHost(
      signal: Int32(arguments[1]) ?? 0, path: path, recorder: arguments[0])
    for step in arguments[2].split(separator: ",") { host.take(String(step)) }
    endWhenTold { host.recorder?.close() }
    print("ready")
    if arguments[3] == "runLoop" { RunLoop.main.run() }
    dispatchMain()
  }

  /// A host that blocks a signal and takes it from the kernel itself: `with|without SIGNAL WAY`.
  static func wait(_ path: String, _ arguments: [String]) {
    let signal = Int32(arguments[1]) ?? 0
    ms_trial_block(signal)
    let recorder = arguments[0] == "with" ? recorder(path) : nil
    endWhenTold { recorder?.close() }
    print("ready")
    ms_trial_wait(signal, arguments[2])
  }

  /// The signals that have a handler once a recorder is open: `standard|all`.
  static func caught(_ path: String, _ arguments: [String]) {
    let recorder = recorder(path, automatic: arguments[0] == "all" ? .all : .standard)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGTSTP, SIGCONT, SIGPROF, SIGCHLD] {
      var found = sigaction()
      sigaction(signal, nil, &found)
      if found.__sigaction_handler.sa_handler != nil { print(signal) }
    }
    recorder.close()
  }

  /// What the recorder's own thread blocks: `blocking|open`, the opener's SIGPROF.
  static func masks(_ path: String, _ arguments: [String]) {
    if arguments[0] == "blocking" { ms_trial_block(SIGPROF) }
    let recorder = recorder(path)
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      print(ownMask(thread: thread) ?? "", terminator: "")
    }
    recorder.close()
  }

  /// One line, once the thread has begun to wait; nil where it is not the recorder's.
  private static func ownMask(thread: String) -> String? {
    func status() -> String {
      let path = "/proc/self/task/\(thread)/status"
      return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
    var text = status()
    guard Int32(thread) != getpid() else { return nil }
    while !text.contains("State:\tS") || !text.contains("Name:\tmainstay") { text = status() }
    let line = text.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    return line.map { "mask \($0.split(separator: "\t").last ?? "")\n" }
  }

  private static func endWhenTold(_ last: @escaping @Sendable () -> Void) {
    Threads.start {
      waitForTest()
      last()
      print("told")
      _exit(0)
    }
  }
}

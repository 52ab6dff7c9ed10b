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

  /// A host that hears of SIGTERM by a DispatchSource: `with|without before|after LOOP IGNORING`.
  static func source(_ path: String, _ arguments: [String]) {
    if arguments[3] == "ignoring" { Glibc.signal(SIGTERM, SIG_IGN) }
    if arguments[1] == "before" { Sources.listen() }
    if arguments[0] == "with" { Sources.recorder = recorder(path) }
    if arguments[1] == "after" { Sources.listen() }
    Threads.start {
      // One after the other: signals that come in at once are one.
      for turn in 1...3 {
        kill(getpid(), SIGTERM)
        for _ in 0..<2000 where Sources.fired.load(ordering: .relaxed) < turn { usleep(1000) }
      }
      usleep(50_000)
      print("fired \(Sources.fired.load(ordering: .relaxed))")
      _exit(0)
    }
    if arguments[2] == "runLoop" { RunLoop.main.run() }
    dispatchMain()
  }
}

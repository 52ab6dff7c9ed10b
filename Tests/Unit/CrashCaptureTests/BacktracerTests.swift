import ProcessTesting
import Testing
import VictimTrials

@Suite("Swift's own backtracer", .enabled(if: !isSanitized), .long)
struct BacktracerTests {
  /// Left out is what is not the same twice without us either: of two that crash at once either may be
  /// the one that is shown, and a thousand threads take longer than a test may. Whoever is cancelled
  /// while its crash is handled is cancelled in Swift's own handler, whether we are there or not. Where misaligned
  /// access is forbidden, Swift's own handler dies of it without us. Without descriptors it cannot be run.
  private static let trials = Trial.oncePerWay.filter { trial in
    ![
      "two-at-once", "walk-broken-meanwhile", "many-threads", "many-threads-hurried", "misaligned",
      "no-descriptors", "closed-descriptors", "cancelled-meanwhile",
    ]
    .contains(trial.way)
  }

  @Test("says of every death what it says without us", arguments: Self.trials)
  func saysWhatItSaysWithoutUs(trial: Trial) throws {
    let comparison = BacktracerComparison(executable: ChildProcess.directory + "/victim")
    let (without, with) = try comparison.reports(trial)
    #expect(with.isFatal == without.isFatal)
    #expect(with.isRecorded || !with.isFatal, "the log does not have what it died of")
    // Of an abort on a thread of Dispatch's, Swift's handler may hear only with us.
    if trial.way == "task-memory-misused" && !Toolchain.abortOpensItsSignal {
      #expect(without.crashed.isEmpty && !with.crashed.isEmpty)
      return
    }
    #expect(with.headline == without.headline)
    #expect(with.crashed == without.crashed)
    // Before, Dispatch gave its workers no names, and who was made by a thread of ours bears its name for good.
    #if compiler(>=6.3)
      #expect(with.others == without.others)
    #endif
    // A worker that a thread of ours has made bears its name until it has one of its own.
    #expect(with.ours >= (with.crashed.isEmpty ? 0 : Self.ours(trial.way)), "one was not stopped")
  }

  /// How many threads of ours there are: one waits for memory pressure, one for hangs.
  private static func ours(_ way: String) -> Int {
    switch way {
    case "after-uninstall", "before-install": 1
    case "forked-child", "vforked-child": 0
    default: 2
    }
  }
}

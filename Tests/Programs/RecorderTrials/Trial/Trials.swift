import Breadcrumbs
import Glibc

/// All trials, by name.
enum Trials {
  typealias Body = @Sendable (_ path: String, _ arguments: [String]) -> Void

  static var named: [String: Body] {
    [
      "open": open, "end": end, "fork": fork, "lock": lock, "truncate": truncate, "bus": bus,
      "signal": signal, "source": source, "churn": churn, "modules": modules, "sync": sync,
      "crash-loop": crashLoop, "reopen": reopen, "odd": odd, "starve": starve,
      "wait": wait, "masks": masks, "caught": caught,
      "masked": masked, "descriptors": descriptors, "standard": standard, "size": size,
      "cycles": cycles, "cancel": cancel, "rounds": rounds,
    ]
  }

  // As in a service: a recorder lives as long as its process, unless it is closed.
  nonisolated(unsafe) static var kept: [BreadcrumbRecorder] = []

  /// The recorder of a trial that cannot go on without one.
  static func recorder(
    _ path: String, capacity: Int = 1 << 20, keepingLast: Int = 5,
    durability: LogDurability = .process, automatic: AutomaticEvents = .all
  ) -> BreadcrumbRecorder {
    do {
      let recorder = try BreadcrumbRecorder(
        path: path, capacity: capacity, keepingLast: keepingLast, durability: durability,
        automatic: automatic)
      kept.append(recorder)
      return recorder
    } catch {
      print("error \(error.code): \(error)")
      exit(3)
    }
  }

  /// Waits until the test has written a line, or gone.
  static func waitForTest() {
    var byte: UInt8 = 0
    while read(0, &byte, 1) < 0 && errno == EINTR { continue }
  }
}

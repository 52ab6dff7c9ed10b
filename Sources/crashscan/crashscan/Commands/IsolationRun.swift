import Glibc

/// The effect of a failed isolation check of the Swift runtime.
enum IsolationMode: String, CaseIterable, Sendable {
  /// The check is recorded, and the program continues.
  case soft
}

/// Runs a program and records its failed isolation checks.
struct IsolationRun {
  static let library = "libmainstay-isolation.so"

  private let preloading: Preloading
  private let followsChildren: Bool

  init(_ invocation: Invocation) throws(CommandFailure) {
    let others = ["over", "loops", "gtk", "calls", "report", "trap", "allow"]
    if let other = others.first(where: invocation.has) {
      throw CommandFailure(message: "--isolation cannot be combined with --\(other)", code: .usage)
    }
    preloading = Preloading(
      arguments: invocation.operands, log: invocation[.runLog] ?? "isolation.log")
    followsChildren = invocation[.children]
  }

  func begin() throws(CommandFailure) -> Never {
    try preloading.begin(
      [try PreloadedFile.path(of: Self.library)], asked: followsChildren ? ["CHILDREN": "1"] : [:],
      saying: """
        failed isolation checks are recorded in \(preloading.log) and do not end the process; each is a data race. \
        dispatchPrecondition still traps
        """)
  }
}

extension Option where Value == IsolationMode {
  static let isolation = Option(
    oneOf: "isolation", takes: "MODE",
    summary: "soft: record failed isolation checks of the Swift runtime instead of trapping",
    discussion: """
      Each place that fails a check is recorded once, with its stack. A failed check is a data race: use this mode in \
      tests and in staging, to find all such places in one run.
      """)
}

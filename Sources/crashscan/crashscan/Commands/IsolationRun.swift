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

extension IsolationRun {
  private static let log = "isolation"

  /// Sets the environment of the commands that this process starts, so that each test bundle among them writes its
  /// failed checks to a log in the directory.
  static func beginInTests(logsIn directory: String) throws(CommandFailure) {
    let library = try PreloadedFile.path(of: library)
    let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
    setenv("LD_PRELOAD", library + (before.isEmpty ? "" : ":" + before), 1)
    setenv("MAINSTAY_RUN_LOG", "\(directory)/\(log).log", 1)
    setenv("MAINSTAY_RUN_PROCESS", "\(getpid())", 1)
    setenv("MAINSTAY_RUN_CHILDREN", "1", 1)
    setenv("MAINSTAY_RUN_BUNDLES", "1", 1)
  }

  /// The logs that test bundles wrote in the directory.
  static func logs(in directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("\(log)-") { names.append("\(directory)/\(name)") }
    }
    return names.sorted()
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

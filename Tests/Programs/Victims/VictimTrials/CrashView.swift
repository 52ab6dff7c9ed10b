import LogReading
import IncidentModel
import Symbolication

/// A crash with its addresses turned into functions.
struct CrashView {
  let crash: Crash
  let process: Int
  /// Of each frame of the crashed stack, innermost first, its functions, inlined ones first.
  let functions: [[String]]
  /// Which of those frames lie in the victim itself, or in a library made for it.
  let isOwn: [Bool]
  let asyncCallers: [String]
  /// The functions of the stack that last threw an error.
  let throwers: [String]

  init(_ crash: Crash, of incident: Incident, with symbolicator: inout Symbolicator) {
    self.crash = crash
    process = incident.process?.id ?? 0
    var functions: [[String]] = []
    var isOwn: [Bool] = []
    for frame in crash.thread?.stack.frames ?? [] {
      let module = incident.module(at: frame.lookup, when: crash.monotonic)
      let sources = module.map { symbolicator.frames(at: frame, in: $0) } ?? []
      functions.append(sources.map(\.function))
      isOwn.append(module.map { $0.name.hasPrefix("victim") } ?? false)
    }
    throwers = (crash.thrown?.frames ?? []).flatMap { frame -> [String] in
      guard let module = incident.module(at: frame.lookup, when: crash.monotonic) else { return [] }
      return symbolicator.frames(at: frame, in: module).map(\.function)
    }
    self.functions = functions
    self.isOwn = isOwn
    asyncCallers = (crash.thread?.stack.frames ?? []).filter(\.isAsyncCaller).flatMap {
      caller -> [String] in
      guard let module = incident.module(at: caller.lookup, when: crash.monotonic) else {
        return []
      }
      return symbolicator.frames(at: caller, in: module).map(\.function)
    }
  }

  var texts: [String] {
    crash.texts.map { text in
      switch text {
      case .swift(let text), .cLibrary(let text), .exceptionType(let text), .exception(let text):
        text
      }
    }
  }

  /// What is wrong if not `count` threads of this name told their stacks.
  func threads(named name: String, walked count: Int) -> String? {
    let walked = crash.otherThreads.filter { $0.name == name && !$0.stack.frames.isEmpty }.count
    return walked == count ? nil : "\(walked) of \(count) threads gave their stacks"
  }

  /// The crash in a few lines, for whoever looks at a failure.
  var summary: String {
    var lines = ["signal \(crash.signal) code \(crash.code) stage \(crash.stage) texts \(texts)"]
    lines.append(
      "thread \(crash.thread?.name ?? "?") \(crash.thread?.queue?.label ?? "-")"
        + " \(crash.thread.map { "\($0.source) \($0.stack.end) main \($0.onMain)" } ?? "")"
        + " others \(crash.others.map(\.role).prefix(8)) of \(crash.others.count) threads \(crash.threadCount) walked"
        + " \(crash.otherThreads.filter { !$0.stack.frames.isEmpty }.count)")
    let told = Dictionary(grouping: crash.otherThreads) {
      "\($0.name) \($0.source) \($0.stack.end)"
    }
    lines += told.map { "  \($0.value.count) threads \($0.key)" }.sorted()
    for (index, names) in functions.prefix(24).enumerated() {
      lines.append("  \(index) \(isOwn[index] ? "*" : " ") \(names.joined(separator: " < "))")
    }
    if !asyncCallers.isEmpty { lines.append("  async \(asyncCallers)") }
    return lines.joined(separator: "\n")
  }
}

import CrashAnalysis
import IncidentModel
import TextOutput

/// The death of a run, read from its log, for delivery to other tools.
package struct DeathRecord: Sendable {
  /// Limits for the data of an untrusted log.
  package enum Limit {
    package static let crumbs = 100
    static let threads = 256
    static let frames = 256
    static let values = 64
    static let text = 4096
    static let message = 16_384
    static let stackText = 65_536
  }

  /// A thread with its symbolicated stack.
  package struct Thread: Sendable {
    var thread: CrashThread
    var stack: ResolvedStack
  }

  /// A crumb, and the thread that recorded it.
  struct LastCrumb: Sendable {
    var crumb: Crumb
    var thread: IncidentThread?
  }

  /// The id of the death: a hash of the process and its log, in 32 hexadecimal digits.
  package let id: String
  package let words: DeathDescription
  /// The title of the verdict of `crashscan report`.
  package let title: String
  let verdict: Report.Entry?
  let ending: RunEnding
  /// The time of death, or of the last sign of life, in nanoseconds since 1970.
  let wall: UInt64
  let process: Incident.Process?
  let crash: Crash?
  let crashed: Thread?
  let others: [Thread]
  let crumbs: [LastCrumb]
  /// The modules of all frames.
  let modules: [Module]
  /// The module of the program itself.
  let program: Module?
  /// The host that delivers the record; a log does not contain its host.
  let host: String?

  /// Reads a log to its end; nil if its run did not fail.
  ///
  /// - Parameters:
  ///   - symbols: Creates the symbol source; called twice. Without it, stacks consist of modules
  ///     and offsets.
  ///   - crumbs: The number of last crumbs to include, `Limit.crumbs` at most.
  ///   - host: The host that delivers the record; nil to omit it.
  package init?(
    _ source: some EventSource, input: String, crumbs count: Int, host: String? = nil,
    symbols: () -> (any SymbolSource)?
  ) throws {
    let witness = LastEvents(most: min(max(0, count), Limit.crumbs))
    let summary = try Analyzer(symbols: symbols()).analyze(source, input: input, witness: witness)
    guard let words = witness.death else { return nil }
    self.words = words
    let verdict = Report(summary).entries.first { $0.finding.isVerdict }
    self.verdict = verdict
    title = verdict?.finding.title ?? words.name
    ending = source.ending
    id = Self.id(source.process, recording: source.recording)
    process = source.process
    self.host = host
    let crash = witness.crash.flatMap { $0.stage == .recovered ? nil : $0 }
    self.crash = crash
    wall = crash?.wall ?? max(witness.lastWall, source.signs.aliveWall ?? 0)
    self.crumbs = witness.crumbs.map {
      LastCrumb(crumb: $0, thread: source.threads[$0.thread])
    }
    var resolver = StackResolver(symbols: symbols())
    resolver.use(source.modules)
    let resolve = { (thread: CrashThread, resolver: inout StackResolver) in
      let stack = Stack(
        frames: Array(thread.stack.frames.prefix(Limit.frames)), end: thread.stack.end)
      return Thread(
        thread: thread, stack: resolver.resolve(stack, when: crash?.monotonic ?? 0))
    }
    crashed = crash?.thread.map { resolve($0, &resolver) }
    others = (crash?.otherThreads.prefix(Limit.threads) ?? []).map { resolve($0, &resolver) }
    modules = resolver.usedModules
    let executable = source.process?.executable
    program = source.modules.first { $0.module.path == executable }?.module
  }

  /// The `withCrumbs` values at the place of the crash.
  var context: [(key: String, value: CrumbValue)] {
    Array((crash?.crumbContext ?? []).prefix(Limit.values))
  }

  /// The program's file name, without directories.
  var service: String? {
    process?.executable.split(separator: "/").last.map(String.init)
  }

  var certainty: RunEnding.Certainty {
    switch ending {
    case .crash(_, let certainty), .outOfMemory(let certainty): certainty
    default: .certain
    }
  }

  /// Returns a hash of the process's id, start and executable, or of the recording for an unknown
  /// process. Receivers recognize duplicates by this id.
  package static func id(_ process: Incident.Process?, recording: String) -> String {
    ["event", "id"].map { salt in
      var hash = StableHash()
      hash.add(salt)
      hash.add("\(process?.id ?? 0) \(process?.openedWall ?? 0)")
      hash.add(process?.executable ?? "")
      if process == nil { hash.add(recording) }
      return hash.hexadecimal
    }.joined()
  }
}

/// Keeps the last crumbs of an input, and the rules' findings about its death.
private final class LastEvents: AnalysisWitness {
  private let most: Int
  private(set) var crumbs: [Crumb] = []
  private(set) var lastWall: UInt64 = 0
  private(set) var death: DeathDescription?
  private(set) var crash: Crash?

  init(most: Int) { self.most = most }

  func observe(_ batch: EventBatch) {
    guard batch.count > 0 else { return }
    lastWall = batch[batch.count - 1].wall
    for index in max(0, batch.count - most)..<batch.count { crumbs.append(Crumb(batch[index])) }
    crumbs.removeFirst(max(0, crumbs.count - most))
  }

  func finish(_ outcome: AnalysisOutcome) {
    death = outcome.death
    crash = outcome.crash
  }
}

extension String {
  /// Returns the text truncated to `bytes`, at a character boundary.
  func cut(to bytes: Int) -> String {
    if utf8.count <= bytes { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: bytes)
    while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end]) + "…"
  }
}

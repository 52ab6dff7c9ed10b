import Dispatch
import Foundation
import ProcessTesting
import Synchronization
import Testing
import TruthTable

/// A kind of main program, and where in it a context starts.
enum Entry: String, CaseIterable, Sendable {
  case dispatchMainTop, dispatchMainOnMain
  case runLoopTop, runLoopOnMain
  case asyncTop, asyncSuspended, asyncOnMain
  case xctest, xctestOnMain, xctestAsync, xctestMainActor
  case swiftTesting, swiftTestingOnMain, swiftTestingMainActor

  /// Whether the origin is on the main queue.
  var isOnMain: Bool { self != .xctestAsync && self != .swiftTesting }

  /// Whether contexts that do not depend on their origin run here too: once per kind of program.
  var runsHops: Bool {
    switch self {
    case .dispatchMainTop, .runLoopTop, .asyncTop, .xctest, .swiftTesting: true
    default: false
    }
  }

  /// Whether the program runs `RunLoop.main`.
  var runsMainRunLoop: Bool { self == .runLoopTop || self == .xctest }

  var contexts: [Context] {
    Context.all.filter {
      ($0.isInPlace || runsHops) && (!$0.needsMainRunLoop || runsMainRunLoop)
    }
  }

  func run(_ context: Context) throws -> ChildProcess {
    let row = ["MAINSTAY_TRUTH_ROW": context.name]
    func sync(_ entry: String, _ origin: String) throws -> ChildProcess {
      try .run("truth-row", [entry, origin, context.name])
    }
    func async(_ origin: String) throws -> ChildProcess {
      try .run("truth-row-async", ["async", origin, context.name])
    }
    func xctest(_ name: String) throws -> ChildProcess {
      try .runTests(["ThreadAffinityTests.TruthRowXCTests/\(name)"], environment: row)
    }
    func swiftTesting(_ name: String) throws -> ChildProcess {
      try .runTests(
        ["--testing-library", "swift-testing", "--filter", "TruthRowTests/\(name)"],
        environment: row)
    }
    return switch self {
    case .dispatchMainTop: try sync("dispatchMain", "top")
    case .dispatchMainOnMain: try sync("dispatchMain", "main")
    case .runLoopTop: try sync("runLoop", "top")
    case .runLoopOnMain: try sync("runLoop", "main")
    case .asyncTop: try async("top")
    case .asyncSuspended: try async("suspended")
    case .asyncOnMain: try async("main")
    case .xctest: try xctest("testHere")
    case .xctestOnMain: try xctest("testOnMain")
    case .xctestAsync: try xctest("testAsync")
    case .xctestMainActor: try xctest("testMainActor")
    case .swiftTesting: try swiftTesting("here")
    case .swiftTestingOnMain: try swiftTesting("onMain")
    case .swiftTestingMainActor: try swiftTesting("mainActor")
    }
  }
}

@Suite("Every verdict equals dispatchPrecondition's", .serialized)
struct TruthTableTests {
  @Test("The table has 106 contexts, in 722 rows")
  func size() {
    #expect(Context.all.count == 106)
    #expect(Set(Context.all.map(\.name)).count == 106)
    #expect(Entry.allCases.map(\.contexts.count).reduce(0, +) == 722)
  }

  @Test(
    "Each row of one kind of program",
    arguments: isWholeRun ? Entry.allCases : [.dispatchMainTop, .asyncTop])
  func rows(entry: Entry) async throws {
    let contexts = entry.contexts
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: contexts.count) { index in
      if let failure = disagreement(in: contexts[index], entry) {
        failures.withLock { $0.append(failure) }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }
}

/// What is wrong with a row; `nil` where every verdict was that of the real assertion.
private func disagreement(in context: Context, _ entry: Entry) -> String? {
  guard let child = try? entry.run(context) else { return "\(context.name): did not start" }
  let said = child.output.split(separator: "\n").filter {
    $0.hasPrefix("passes ") || $0.hasPrefix("traps ")
  }
  let actual: Verdict? =
    child.signal == Trap.signal ? .traps : child.signal == 0 && child.status == 0 ? .passes : nil
  let goesToMain =
    context.destination == .main || (context.destination == .origin && entry.isOnMain)
  let wanted: Verdict = goesToMain ? .passes : .traps
  if actual == wanted, said == ["\(wanted.rawValue) -"] { return nil }
  return """
    \(context.name): expected \(wanted), assertion \(actual.map(\.rawValue) ?? "unknown") \
    (signal \(child.signal), status \(child.status)), ours \(said) \(child.errors.suffix(300))
    """
}

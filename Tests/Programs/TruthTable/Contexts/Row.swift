import CTruth
import Dispatch
import Foundation
import Synchronization
import ThreadAffinity

/// What the real assertion says in a context.
public enum Verdict: String, Sendable {
  case passes
  case traps
}

/// A way to get somewhere: from a known origin, by one construct, to the place that is asked about.
public struct Context: Sendable {
  /// Where a context leads.
  public enum Destination: Sendable {
    /// Wherever it started.
    case origin
    /// Main-queue work may run there.
    case main
    /// Main-queue work may not run there.
    case elsewhere
  }

  /// The construct, in short.
  public let name: String
  /// Whether the construct depends on where it starts; such rows run from every origin.
  public let isInPlace: Bool
  /// Where it leads.
  public let destination: Destination
  /// Needs `RunLoop.main` to be running.
  public let needsMainRunLoop: Bool
  let run: @Sendable () -> Void

  init(
    _ name: String, _ destination: Destination, inPlace: Bool = false, mainRunLoop: Bool = false,
    _ run: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.destination = destination
    isInPlace = inPlace
    needsMainRunLoop = mainRunLoop
    self.run = run
  }

  /// Goes there; somewhere on the way or later, `probe` is called and ends the process.
  public func start() { run() }

  /// The context of this name.
  public static func named(_ name: String) -> Context? { all.first { $0.name == name } }

  /// Every context of the table.
  public static let all: [Context] =
    inPlace + mainHops + otherHops + sourcesAndLoops + tasks + signalsAndForks
}

/// The queues of the table.
enum Queues {
  static let q1 = DispatchQueue(label: "truth.q1")
  static let q2 = DispatchQueue(label: "truth.q2")
  static let concurrent = DispatchQueue(label: "truth.qC", attributes: .concurrent)
  static let toMain = DispatchQueue(label: "truth.qT", target: .main)
  static let toMainTwice = DispatchQueue(label: "truth.qTT", target: toMain)
  static let concurrentToMain = DispatchQueue(
    label: "truth.qCT", attributes: .concurrent, target: .main)
  static let background = DispatchQueue.global(qos: .background)

  static var asked: [(String, DispatchQueue)] {
    [
      ("q1", q1), ("q2", q2), ("qC", concurrent), ("qT", toMain), ("qTT", toMainTwice),
      ("qCT", concurrentToMain), ("global", .global()),
    ]
  }
}

/// The place that is asked about: compares every verdict with the real assertion, tells the driver
/// what was said about the main queue, and lets the real assertion have the last word.
@Sendable public func probe() {
  say(answers())
  dispatchPrecondition(condition: .onQueue(.main))
  _exit(0)
}

/// What is said here about the main queue, and which other verdicts were wrong, as one line.
func answers() -> String {
  let ours = MainQueue.isCurrent
  let place = ExecutionPlace.current
  var wrong: [String] = place.isMainQueue == ours ? [] : ["stamp"]
  if Affinity.main.isCurrent != ours { wrong.append("affinity") }
  if Affinity.actor(MainActor.shared).isCurrent != ours { wrong.append("main actor") }
  for (name, queue) in Queues.asked {
    let verdict = Affinity.queue(queue).isCurrent
    if verdict != truth_assertion_passes(queue.raw) { wrong.append(name) }
  }
  return "\(ours ? Verdict.passes : .traps) \(wrong.isEmpty ? "-" : wrong.joined(separator: ","))\n"
}

private func say(_ line: String) {
  var line = line
  line.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
}

extension DispatchQueue {
  /// The C queue behind this one, by libdispatch's own account.
  var raw: UnsafeMutableRawPointer {
    // The wrapper's first field; the tests of `Affinity.queue` prove it elsewhere.
    let object = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return object.load(fromByteOffset: 16, as: UnsafeMutableRawPointer.self)
  }
}

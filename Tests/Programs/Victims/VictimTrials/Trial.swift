import Foundation
import Glibc
import ProcessTesting

/// One way to die in one place, and what the log must say of it.
public struct Trial: Sendable {
  /// What is expected of the log.
  enum Expectation: Sendable {
    /// A crash that ended the process.
    case crash
    /// Nothing of a crash.
    case nothing
  }

  /// How the victim dies.
  public var way: String
  /// Where it does: on the main thread, a worker, a thread, in a task.
  public var place = "main"
  var expectation = Expectation.crash
  var signal: Int32
  /// A function that must be in the crashed stack: in its first frame, or in one of the first two
  /// that belong to the victim's own code, whose first may be a check's or an operator's.
  var function: String
  var isAtFault = false
  /// What some text of the crash must contain.
  var text: String?
  /// What the text need not say in a release build, where the compiler leaves it out.
  var isTextForDebugOnly = false
  /// Async functions that must be among the callers.
  var asyncCallers: [String] = []
  var argument: String?
  /// What the process that comes next, with the same log, must say of how this one ended.
  var ending: String?
  /// Whether it runs where there is little memory, and the kernel kills for it.
  var isShortOfMemory = false
  /// Whether a thread that answers late may be in the middle of its record when the process dies.
  var mayBreakOffRecords = false
  var environment: [String: String] = [:]
  /// Whether what its handlers call is counted: not where handlers of others call what they like.
  var isCounted: Bool {
    expectation == .crash && environment.isEmpty && !way.hasPrefix("recovered")
  }
  /// More to check of the crash: what is wrong, nil if nothing is.
  var check: (@Sendable (CrashView) -> String?)?

  /// What the table calls it.
  public var name: String {
    guard let (variable, value) = environment.first else { return way }
    return "\(way) with \(variable)=\(value)"
  }
}

extension Trial {
  /// The same way to die in several places.
  func at(_ places: String...) -> [Trial] {
    places.map { place in
      var trial = self
      trial.place = place
      if place == "task" && way != "continuation-twice" {
        trial.asyncCallers = ["outerAsync"]
      }
      return trial
    }
  }

  static func fault(_ way: String, _ signal: Int32, _ function: String? = nil) -> Trial {
    Trial(way: way, signal: signal, function: function ?? cName(way), isAtFault: true)
  }

  static func abort(_ way: String, _ function: String? = nil, text: String? = nil) -> Trial {
    Trial(way: way, signal: SIGABRT, function: function ?? cName(way), text: text)
  }

  static func swift(
    _ way: String, _ function: String, _ signal: Int32 = Trap.signal, text: String? = nil,
    debugOnly: Bool = false
  ) -> Trial {
    Trial(
      way: way, signal: signal, function: function, text: text, isTextForDebugOnly: debugOnly)
  }

  private static func cName(_ way: String) -> String {
    "die_" + way.split(separator: "-").joined(separator: "_")
  }
}

extension Trial: CustomStringConvertible {
  /// The way and the place.
  public var description: String { "\(way) at \(place)" }
}

import Breadcrumbs
import Dispatch
import Foundation
import RealCases
import ThreadAffinity

/// A process that records what affinities find: `affinity-records <log> <scenario> [case]`.
@main
struct AffinityRecords {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let log = arguments.first, let scenario = arguments.dropFirst().first else {
      fatalError("usage: affinity-records <log> <scenario> [case]")
    }
    let recorder = try BreadcrumbRecorder(path: log)
    switch scenario {
    case "observed": try observe(realCase(arguments.last!), recorder)
    case "hopped": try hop(realCase(arguments.last!), recorder)
    case "wrappers": wrappers(recorder)
    case "origins": origins(recorder)
    case "task": breakInTask(recorder)
    case "shutdown": endAmongHops(recorder)
    default: fatalError("no scenario \(scenario)")
    }
  }

  private static func realCase(_ name: String) -> RealCase {
    RealCase.all.first { $0.name == name }!
  }
}

final class Model: Sendable {}

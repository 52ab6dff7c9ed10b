import Dispatch
import Glibc
import SwiftFive
import TruthTable

/// One row in a program with an async main: `truth-row-async async <origin> <context>`; or hops in
/// one: `truth-row-async hops`.
@main
struct AsyncMain {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.last == "hops" {
      loadAsOldCodeDoes { outcome in
        print(outcome)
        exit(0)
      }
      while true { try await Task.sleep(nanoseconds: 1_000_000_000) }
    }
    guard arguments.count == 4, let context = Context.named(arguments[3]) else {
      fatalError("usage: truth-row-async async top|suspended|main <context>")
    }
    switch arguments[2] {
    case "main":
      DispatchQueue.main.async { context.start() }
    case "suspended":
      try await Task.sleep(nanoseconds: 1_000_000)
      context.start()
    default:
      context.start()
    }
    while true { try await Task.sleep(nanoseconds: 1_000_000_000) }
  }
}

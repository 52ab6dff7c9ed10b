import Dispatch
import TruthTable

/// One row in a program with an async main: `truth-row-async async <origin> <context>`.
@main
struct AsyncMain {
  static func main() async throws {
    let arguments = CommandLine.arguments
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

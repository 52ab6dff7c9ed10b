import Dispatch
import Foundation
import TruthTable

/// One row in a program with a synchronous main: `truth-row <entry> <origin> <context>`.
@main
struct SyncMain {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let context = Context.named(arguments[3]) else {
      fatalError("usage: truth-row dispatchMain|runLoop top|main <context>")
    }
    if arguments[2] == "main" {
      DispatchQueue.main.async { context.start() }
    } else {
      context.start()
    }
    if arguments[1] == "runLoop" {
      while true { RunLoop.main.run(until: .distantFuture) }
    }
    dispatchMain()
  }
}

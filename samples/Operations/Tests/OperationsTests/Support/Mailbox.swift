import Foundation
import Synchronization
import Testing

@testable import Operations

/// Keeps what an engine posts, and on which thread it did so.
final class Mailbox: ScriptMessageHandler {
  private let received = Mutex<[(message: ScriptMessage, thread: UInt)]>([])

  func scriptEngine(_ engine: any ScriptRunning, didReceive message: ScriptMessage) {
    received.withLock { $0.append((message, UInt(pthread_self()))) }
  }

  var messages: [ScriptMessage] { received.withLock { $0.map(\.message) } }
  var bodies: [String] { messages.map(\.body) }
  var threads: Set<UInt> { received.withLock { Set($0.map(\.thread)) } }

  /// Waits for so many messages.
  func wait(for count: Int, location: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while messages.count < count, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(1))
    }
    try #require(messages.count >= count, "only \(bodies)", sourceLocation: location)
  }
}

extension ScriptEngine {
  /// Loads a script of that text, and waits for it.
  func load(_ text: String, defining required: String = "start") async -> ScriptError? {
    await withCheckedContinuation { answer in
      load(Script(name: "test.js", text: text), defining: required) { result in
        answer.resume(returning: result.error)
      }
    }
  }

  /// Calls a function of the script, and waits for it.
  func call(_ function: String, _ argument: String = "") async -> ScriptError? {
    await withCheckedContinuation { answer in
      call(function, argument) { result in answer.resume(returning: result.error) }
    }
  }
}

extension Result<Void, ScriptError> {
  fileprivate var error: ScriptError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

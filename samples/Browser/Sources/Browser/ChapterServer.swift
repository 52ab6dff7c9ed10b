import Foundation
import LoopbackHTTP
import Synchronization

/// A server of chapters on loopback, which can be made to hold single ones back, and to fail.
package final class ChapterServer: Sendable {
  private struct State {
    var gates: [Int: Gate] = [:]
    var failures: [Int: HTTPResponse] = [:]
  }

  private final class Shelf: Sendable {
    let state = Mutex(State())
    let chapters: [Chapter]

    init(_ chapters: [Chapter]) { self.chapters = chapters }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
      guard request.path.hasPrefix("/chapters/"), let number = Int(request.path.dropFirst(10)),
        chapters.indices.contains(number)
      else { return .notFound }
      let (gate, failure) = state.withLock {
        ($0.gates[number], $0.failures.removeValue(forKey: number))
      }
      gate?.pass()
      return failure ?? .json(chapters[number])
    }
  }

  private let shelf: Shelf
  private let server: LoopbackServer

  /// A server that has these chapters.
  package init(_ chapters: [Chapter]) throws {
    let shelf = Shelf(chapters)
    self.shelf = shelf
    server = try LoopbackServer { shelf.answer($0) }
  }

  /// Where it can be reached.
  package var url: URL { server.url }

  /// The chapters that it was asked for, in the order in which it was.
  package var asked: [Int] {
    server.requests.compactMap { Int($0.path.dropFirst(10)) }
  }

  /// Keeps a chapter back, until the gate is opened.
  package func hold(_ chapter: Int) -> Gate {
    let gate = Gate()
    shelf.state.withLock { $0.gates[chapter] = gate }
    return gate
  }

  /// Answers the next request for a chapter in that way.
  package func fail(_ chapter: Int, with answer: HTTPResponse = .status(500)) {
    shelf.state.withLock { $0.failures[chapter] = answer }
  }
}

import Foundation
import LoopbackHTTP
import Synchronization

/// How the server answers at the moment; shared with the threads that do so.
final class Behaviour: Sendable {
  let answers = Mutex<[String: HTTPResponse]>([:])
  let gates = Mutex<[String: Gate]>([:])
  let entries = Mutex(Catalogue.entries)
  private let ownBase = Mutex<URL?>(nil)

  /// Where the server is, which is known once it listens; before that nobody can ask.
  var base: URL? {
    get { ownBase.withLock { $0 } }
    set { ownBase.withLock { $0 = newValue } }
  }

  func answer(to request: HTTPRequest) -> HTTPResponse {
    let gate = gates.withLock { $0[request.path] }
    gate?.pass()
    if let answer = answers.withLock({ $0[request.path] }) { return answer }
    return ownAnswer(to: request.path)
  }

  private func ownAnswer(to path: String) -> HTTPResponse {
    if path == "/sites.json", let base {
      return .json(Catalogue.served(entries.withLock { $0 }, at: base))
    }
    if let icon = Catalogue.icons[path] { return icon }
    if let page = Catalogue.pages[path] { return .text(page, type: "text/html; charset=utf-8") }
    return .notFound
  }
}

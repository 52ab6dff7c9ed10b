import Foundation
import FoundationNetworking
import SampleSupport

/// Why nothing came from the network: exactly one reason.
package enum RemoteError: Error, Sendable, Hashable {
  /// There was no answer, or not the whole of it.
  case unreachable(URLError.Code)
  /// The server said no.
  case status(Int, retryAfter: Duration? = nil)
  /// The answer is not what was asked for.
  case malformed(String)

  /// A failed request, in the terms of this app.
  init(_ failure: HTTPFailure) {
    switch failure {
    case .noAnswer(let error): self = .unreachable((error as? URLError)?.code ?? .unknown)
    case .status(let status, let wait): self = .status(status, retryAfter: wait)
    case .unreadable(let error): self = .malformed("\(error)")
    }
  }

  /// Whether asking again may help.
  var isPassing: Bool {
    switch self {
    case .unreachable(let code): ![.badURL, .unsupportedURL].contains(code)
    case .status(let status, _): status == 408 || status == 429 || (500...599).contains(status)
    case .malformed: false
    }
  }
}

import Foundation
import FoundationNetworking

/// Why nothing came from the network: exactly one reason.
package enum RemoteError: Error, Sendable, Hashable {
  /// There was no answer, or not the whole of it.
  case unreachable(URLError.Code)
  /// The server said no.
  case status(Int, retryAfter: Duration? = nil)
  /// The answer is not what was asked for.
  case malformed(String)

  /// Whether asking again may help.
  var isPassing: Bool {
    switch self {
    case .unreachable(let code): ![.badURL, .unsupportedURL].contains(code)
    case .status(let status, _): status == 408 || status == 429 || (500...599).contains(status)
    case .malformed: false
    }
  }
}

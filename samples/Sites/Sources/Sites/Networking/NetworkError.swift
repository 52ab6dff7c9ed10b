import Foundation
import SampleSupport

/// Why there are no sites, in the terms of this app and not of whoever carried the request.
enum NetworkError: Error, Hashable, Sendable {
  /// The endpoint could not be reached, or did not answer with success.
  case requestFailed(Failure)
  /// It answered, but with something else than sites; where in the JSON, and what is wrong.
  case decodingError(String)

  /// How a request failed.
  enum Failure: Hashable, Sendable {
    /// The endpoint answered with this status.
    case status(Int)
    /// No answer came, for this reason.
    case noAnswer(URLError.Code)
  }
}

extension NetworkError {
  /// A failed request, in the terms of this app.
  init(_ failure: HTTPFailure) {
    if case .unreadable(let error) = failure {
      self = .decodingError((error as? DecodingError)?.place ?? "\(error)")
    } else {
      self = .requestFailed(Failure(failure))
    }
  }
}

extension NetworkError.Failure {
  /// A failed request, in the terms of this app.
  init(_ failure: HTTPFailure) {
    switch failure {
    case .noAnswer(let error): self = .noAnswer((error as? URLError)?.code ?? .unknown)
    case .status(let status, _): self = .status(status)
    case .unreadable: self = .noAnswer(.badServerResponse)
    }
  }
}

extension DecodingError {
  fileprivate var place: String {
    switch self {
    case .keyNotFound(let key, let context): Self.describe(context, "no “\(key.stringValue)”")
    case .typeMismatch(let type, let context): Self.describe(context, "no \(type)")
    case .valueNotFound(let type, let context): Self.describe(context, "null, not a \(type)")
    case .dataCorrupted(let context): Self.describe(context, "no JSON")
    @unknown default: "\(self)"
    }
  }

  private static func describe(_ context: Context, _ what: String) -> String {
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return path.isEmpty ? what : "\(what) at \(path.joined(separator: "."))"
  }
}

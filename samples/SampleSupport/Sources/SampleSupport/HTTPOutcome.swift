public import Foundation
public import FoundationNetworking

/// What came of an HTTP request: its content, or the one reason why there is none.
public typealias HTTPOutcome = Result<Data, HTTPFailure>

/// Why an HTTP request brought nothing.
public enum HTTPFailure: Error, CustomStringConvertible {
  /// No answer came, or only a part of one.
  case noAnswer(any Error)
  /// The server answered with a status other than success.
  case status(Int, retryAfter: Duration? = nil)
  /// The answer is not what was asked for.
  case unreadable(any Error)

  /// The reason, in words for people.
  public var description: String {
    switch self {
    case .noAnswer: "there is no connection"
    case .status(let status, _): "the server answered \(status)"
    case .unreadable: "the answer could not be read"
    }
  }

  fileprivate struct NotHTTP: Error, CustomStringConvertible {
    let description = "the answer is not HTTP"
  }
}

extension Result<Data, HTTPFailure> {
  /// Makes one outcome of the three values that a session hands over, each of which may be missing.
  public init(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    if let error {
      self = .failure(.noAnswer(error))
    } else if let response = response as? HTTPURLResponse {
      self =
        200..<300 ~= response.statusCode
        ? .success(data ?? Data())
        : .failure(.status(response.statusCode, retryAfter: response.retryAfter))
    } else {
      self = .failure(.unreadable(HTTPFailure.NotHTTP()))
    }
  }

  /// Decodes the content, which is JSON.
  public func decoded<Value: Decodable>(
    _ type: Value.Type = Value.self
  ) -> Result<Value, HTTPFailure> {
    flatMap { data in
      do {
        return .success(try JSONDecoder().decode(type, from: data))
      } catch {
        return .failure(.unreadable(error))
      }
    }
  }
}

extension HTTPURLResponse {
  fileprivate var retryAfter: Duration? {
    value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds(max(0, $0)) }
  }
}

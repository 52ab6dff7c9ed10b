public import Foundation
import FoundationNetworking
import ThreadAffinity

/// The app's old network stack. Only the last couple of requests still go by it.
///
/// It has no locks: all of it belongs to the main queue, where it calls back as well.
public final class HTTPSession: @unchecked Sendable {
  private let base: URL
  private let session = URLSession(configuration: .ephemeral)
  private var running: [UUID: URLSessionDataTask] = [:]

  /// A session with a server.
  public init(base: URL) { self.base = base }

  /// Sends a value as JSON, and calls back on the main queue with the answer's content.
  public func post(
    _ path: String, _ value: some Encodable,
    completion: @escaping @Sendable (Result<Data, any Error>) -> Void
  ) {
    // There for historical reasons, and not to be removed.
    requireMainQueue("This method must be called on the main thread.")
    var request = URLRequest(url: base.appendingPathComponent(path))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try? JSONEncoder().encode(value)
    let id = UUID()
    let task = session.dataTask(with: request) { data, response, error in
      let outcome = Self.outcome(data, response, error)
      DispatchQueue.main.async {
        self.running[id] = nil
        completion(outcome)
      }
    }
    running[id] = task
    task.resume()
  }

  private static func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Data, any Error> {
    if let error { return .failure(error) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    return status == 200 ? .success(data ?? Data()) : .failure(URLError(.badServerResponse))
  }
}

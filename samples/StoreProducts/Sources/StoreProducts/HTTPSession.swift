public import Foundation
import FoundationNetworking
import SampleSupport
import ThreadAffinity

/// The app's old network stack. Only the last couple of requests still go by it.
///
/// `@unchecked Sendable`: it has no locks, for it belongs to the main queue, which `post` checks, and
/// calls back there as well.
public final class HTTPSession: @unchecked Sendable {
  private let base: URL
  private let session = URLSession.withoutCache()
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
      let outcome = HTTPOutcome(data, response, error).mapError { $0 as any Error }
      DispatchQueue.main.async {
        self.running[id] = nil
        completion(outcome)
      }
    }
    running[id] = task
    task.resume()
  }
}

import Foundation
import FoundationNetworking
import SampleSupport
import StatusModel

/// The web service of profiles. It answers on its session's queue.
package final class StatusAPI: StatusService {
  private let url: URL
  private let session = URLSession.withoutCache(queue: "status.network")

  package init(server: URL) { url = server.appendingPathComponent("status") }

  deinit { session.finishTasksAndInvalidate() }

  /// Fetches the user's profile.
  package func getStatus(completion: @escaping Answer) { send(URLRequest(url: url), completion) }

  /// Saves a profile, and answers with what the server has of it.
  package func saveStatus(_ profile: KYSProfile, completion: @escaping Answer) {
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    do {
      request.httpBody = try JSONEncoder().encode(profile)
    } catch {
      return completion(.failure(StatusError("the status cannot be sent")))
    }
    send(request, completion)
  }

  private func send(_ request: URLRequest, _ completion: @escaping Answer) {
    session.dataTask(with: request) { data, response, error in
      completion(
        HTTPOutcome(data, response, error).decoded().mapError { StatusError($0.description) })
    }.resume()
  }
}

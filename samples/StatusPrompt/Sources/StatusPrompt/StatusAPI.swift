import Foundation
import FoundationNetworking
import StatusModel

/// The web service of profiles. It answers on its session's queue.
package final class StatusAPI: StatusService {
  private let url: URL
  private let session: URLSession

  package init(server: URL) {
    url = server.appendingPathComponent("status")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
    session.delegateQueue.name = "status.network"
  }

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
      completion(Self.outcome(data, response, error))
    }.resume()
  }

  private static func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<KYSProfile, StatusError> {
    if error != nil { return .failure(StatusError("there is no connection")) }
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { return .failure(StatusError("the server answered \(status)")) }
    do {
      return .success(try JSONDecoder().decode(KYSProfile.self, from: data ?? Data()))
    } catch {
      return .failure(StatusError("the answer could not be read"))
    }
  }
}

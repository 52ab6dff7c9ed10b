import Foundation
import FoundationNetworking

extension URLSession {
  /// The session of the app: without a cache of its own, and with a queue that reports can name.
  ///
  /// In FoundationNetworking (seen with Swift 6.3.1), a task of a session with a cache that is cancelled
  /// just as it ends finds itself deregistered, and ends the process: “Trying to access a behaviour for a
  /// task that in not in the registry.” Data is persisted and pictures are remembered here anyway.
  package static func app() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    session.delegateQueue.name = "squad.network"
    return session
  }
}

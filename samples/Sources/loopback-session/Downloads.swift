import Foundation
import FoundationNetworking
import ThreadAffinity

/// The delegate: written as if the main queue were all there is, which with the shim it is.
///
/// `@preconcurrency` has the runtime check that too, at every call.
@MainActor
final class Downloads: NSObject, @preconcurrency URLSessionDataDelegate {
  /// One request, as its callbacks describe it.
  struct Download {
    var steps: [String] = []
    var bytes = 0
  }

  private(set) var downloads: [Int: Download] = [:]
  private(set) var callbacks = 0
  private(set) var callbacksOffMain = 0
  private var open: Int
  private let whenDone: @MainActor () -> Void

  init(awaiting count: Int, whenDone: @escaping @MainActor () -> Void) {
    open = count
    self.whenDone = whenDone
  }

  private func note(_ step: String, of task: URLSessionTask, bytes: Int = 0) {
    callbacks += 1
    if !MainQueue.isCurrent { callbacksOffMain += 1 }
    var download = downloads[task.taskIdentifier] ?? Download()
    // Pieces of the body are one step, however many there are.
    if download.steps.last != step { download.steps.append(step) }
    download.bytes += bytes
    downloads[task.taskIdentifier] = download
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirect", of: task)
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("response", of: dataTask)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data", of: dataTask, bytes: data.count)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    note(error.map { "failed: \($0)" } ?? "complete", of: task)
    open -= 1
    if open == 0 { whenDone() }
  }
}

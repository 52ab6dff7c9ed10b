// swift-format-ignore-file
// Generated; to generate it again:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol URLSessionDataDelegate --module FoundationNetworking --output Sources/loopback-session/URLSessionDataDelegateHop.swift

import Foundation
import FoundationNetworking
import ThreadAffinity

/// Moves every call of a `URLSessionDataDelegate` to the main queue, in order. Holds its target weakly.
final class URLSessionDataDelegateHop: NSObject, URLSessionDataDelegate, Sendable {
  /// The hop to the target; `cancel()` drops pending and later calls.
  let hop: MainHop<any URLSessionDataDelegate>

  /// Creates a shim for `target`, and holds it weakly.
  init(
    _ target: any URLSessionDataDelegate, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "URLSessionDataDelegate", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func urlSession(
    _ session: URLSession,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    hop.send { [session = HopArgument(session), challenge = HopArgument(challenge)] target in
      target.urlSession(
        session.value, didReceive: challenge.value, completionHandler: completionHandler)
    } orElse: {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    hop.send { [session = HopArgument(session)] target in
      target.urlSession(session.value, didBecomeInvalidWithError: error)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    hop.send {
      [
        session = HopArgument(session), task = HopArgument(task), challenge = HopArgument(challenge)
      ] target in
      target.urlSession(
        session.value, task: task.value, didReceive: challenge.value,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    hop.send { [session = HopArgument(session), task = HopArgument(task)] target in
      target.urlSession(
        session.value, task: task.value, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    hop.send { [session = HopArgument(session), task = HopArgument(task)] target in
      target.urlSession(session.value, task: task.value, needNewBodyStream: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    hop.send {
      [
        session = HopArgument(session), task = HopArgument(task), metrics = HopArgument(metrics)
      ] target in
      target.urlSession(session.value, task: task.value, didFinishCollecting: metrics.value)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    hop.send { [session = HopArgument(session), task = HopArgument(task)] target in
      target.urlSession(session.value, task: task.value, didCompleteWithError: error)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    hop.send { [session = HopArgument(session), task = HopArgument(task)] target in
      target.urlSession(
        session.value, task: task.value, willBeginDelayedRequest: request,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(.cancel, nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    hop.send {
      [
        session = HopArgument(session), task = HopArgument(task), response = HopArgument(response)
      ] target in
      target.urlSession(
        session.value, task: task.value, willPerformHTTPRedirection: response.value,
        newRequest: request, completionHandler: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    hop.send {
      [
        session = HopArgument(session), dataTask = HopArgument(dataTask),
        response = HopArgument(response)
      ] target in
      target.urlSession(
        session.value, dataTask: dataTask.value, didReceive: response.value,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    hop.send { [session = HopArgument(session), dataTask = HopArgument(dataTask)] target in
      target.urlSession(session.value, dataTask: dataTask.value, didReceive: data)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    hop.send {
      [
        session = HopArgument(session), dataTask = HopArgument(dataTask),
        proposedResponse = HopArgument(proposedResponse)
      ] target in
      target.urlSession(
        session.value, dataTask: dataTask.value, willCacheResponse: proposedResponse.value,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didBecome streamTask: URLSessionStreamTask
  ) {
    hop.send {
      [
        session = HopArgument(session), dataTask = HopArgument(dataTask),
        streamTask = HopArgument(streamTask)
      ] target in
      target.urlSession(session.value, dataTask: dataTask.value, didBecome: streamTask.value)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didBecome downloadTask: URLSessionDownloadTask
  ) {
    hop.send {
      [
        session = HopArgument(session), dataTask = HopArgument(dataTask),
        downloadTask = HopArgument(downloadTask)
      ] target in
      target.urlSession(session.value, dataTask: dataTask.value, didBecome: downloadTask.value)
    }
  }

  /// An argument on its way to the target: the caller must not use it afterwards.
  private struct HopArgument<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}

// swift-format-ignore-file
// Made by a machine; to make it anew:
// swift package --allow-writing-to-package-directory generate-hop-shim --protocol URLSessionDataDelegate --output Tests/HopShimTests/Shims/URLSessionDataDelegateHop.swift --module FoundationNetworking

import Foundation
import FoundationNetworking
import ThreadAffinity

/// Brings what a `URLSessionDataDelegate` is asked to the main queue, in order, to a target held weakly.
final class URLSessionDataDelegateHop: NSObject, URLSessionDataDelegate, Sendable {
  /// The way to the target; `cancel()` drops what is pending, and what still comes.
  let hop: MainHop<any URLSessionDataDelegate>

  /// Makes a shim for `target`, which lives as long as others hold it.
  init(
    _ target: any URLSessionDataDelegate, delivery: HopDelivery = .automatic,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    hop = MainHop(
      target, "URLSessionDataDelegate", delivery: delivery,
      file: file, line: line, column: column, function: function)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let passed = Handover((session, error))
    hop.send { target in
      let (session, error) = passed.value
      target.urlSession(session, didBecomeInvalidWithError: error)
    }
  }

  func urlSession(
    _ session: URLSession,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let passed = Handover((session, challenge, completionHandler))
    hop.send { target in
      let (session, challenge, completionHandler) = passed.value
      target.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    } orElse: {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let passed = Handover((session, task, response, request, completionHandler))
    hop.send { target in
      let (session, task, response, request, completionHandler) = passed.value
      target.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let passed = Handover((session, task, challenge, completionHandler))
    hop.send { target in
      let (session, task, challenge, completionHandler) = passed.value
      target.urlSession(
        session, task: task, didReceive: challenge, completionHandler: completionHandler)
    } orElse: {
      completionHandler(.performDefaultHandling, nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    let passed = Handover((session, task, completionHandler))
    hop.send { target in
      let (session, task, completionHandler) = passed.value
      target.urlSession(session, task: task, needNewBodyStream: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let passed = Handover((session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend))
    hop.send { target in
      let (session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend) = passed.value
      target.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    let passed = Handover((session, task, error))
    hop.send { target in
      let (session, task, error) = passed.value
      target.urlSession(session, task: task, didCompleteWithError: error)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    let passed = Handover((session, task, request, completionHandler))
    hop.send { target in
      let (session, task, request, completionHandler) = passed.value
      target.urlSession(
        session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
    } orElse: {
      completionHandler(.cancel, nil)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    let passed = Handover((session, task, metrics))
    hop.send { target in
      let (session, task, metrics) = passed.value
      target.urlSession(session, task: task, didFinishCollecting: metrics)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let passed = Handover((session, dataTask, response, completionHandler))
    hop.send { target in
      let (session, dataTask, response, completionHandler) = passed.value
      target.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    } orElse: {
      completionHandler(.cancel)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didBecome downloadTask: URLSessionDownloadTask
  ) {
    let passed = Handover((session, dataTask, downloadTask))
    hop.send { target in
      let (session, dataTask, downloadTask) = passed.value
      target.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didBecome streamTask: URLSessionStreamTask
  ) {
    let passed = Handover((session, dataTask, streamTask))
    hop.send { target in
      let (session, dataTask, streamTask) = passed.value
      target.urlSession(session, dataTask: dataTask, didBecome: streamTask)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let passed = Handover((session, dataTask, data))
    hop.send { target in
      let (session, dataTask, data) = passed.value
      target.urlSession(session, dataTask: dataTask, didReceive: data)
    }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    let passed = Handover((session, dataTask, proposedResponse, completionHandler))
    hop.send { target in
      let (session, dataTask, proposedResponse, completionHandler) = passed.value
      target.urlSession(
        session, dataTask: dataTask, willCacheResponse: proposedResponse,
        completionHandler: completionHandler)
    } orElse: {
      completionHandler(nil)
    }
  }
}

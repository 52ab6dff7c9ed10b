import Dispatch
import Foundation
import FoundationNetworking
import FoundationXML

/// A callback known to arrive off the main queue.
public struct RealCase: Sendable {
  /// What it is called.
  public let name: String
  /// Starts what will call back, once; what must live until then is returned.
  public let start: @Sendable (@escaping @Sendable () -> Void) throws -> any Sendable

  /// All that exist on Linux.
  public static let all: [RealCase] = [
    RealCase(name: "URLSession completion") { callback in
      let server = try LoopbackServer()
      URLSession.shared.dataTask(with: server.url) { _, _, _ in callback() }.resume()
      return server
    },
    RealCase(name: "URLSession delegate") { callback in
      let server = try LoopbackServer()
      let session = URLSession(
        configuration: .default, delegate: TaskDelegate(callback), delegateQueue: nil)
      session.dataTask(with: server.url).resume()
      session.finishTasksAndInvalidate()
      return server
    },
    RealCase(name: "Process.terminationHandler") { callback in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/true")
      process.terminationHandler = { _ in callback() }
      try process.run()
      return 0
    },
    RealCase(name: "DispatchSource timer") { callback in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "real.timer"))
      timer.schedule(deadline: .now() + .milliseconds(1))
      timer.setEventHandler { callback() }
      timer.activate()
      return Held(timer)
    },
    RealCase(name: "XMLParser delegate, parsing off main") { callback in
      DispatchQueue(label: "real.parser").async {
        let parser = XMLParser(data: Data("<feed/>".utf8))
        let delegate = ParserDelegate(callback)
        parser.delegate = delegate
        _ = parser.parse()
      }
      return 0
    },
    RealCase(name: "Timer on another run loop") { callback in
      Thread.detachNewThread {
        RunLoop.current.add(
          Timer(timeInterval: 0.001, repeats: false) { _ in callback() }, forMode: .default)
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1))
      }
      return 0
    },
    RealCase(name: "Notification posted off main") { callback in
      let center = NotificationCenter()
      let name = Notification.Name("real")
      let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in callback() }
      let held = Held((center, token))
      DispatchQueue(label: "real.poster").async {
        held.object.0.post(name: name, object: nil)
      }
      return held
    },
    RealCase(name: "Event loop on a thread of its own") { callback in
      let ends = try pipeEnds()
      Thread.detachNewThread {
        var poll = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        Foundation.poll(&poll, 1, 5_000)
        callback()
      }
      write(ends.write, "x", 1)
      return 0
    },
  ]
}

/// Keeps an object that is not `Sendable` alive, or hands it on to one other thread.
public struct Held<Object>: @unchecked Sendable {
  /// The object.
  public let object: Object

  /// Holds an object.
  public init(_ object: Object) { self.object = object }
}

private final class TaskDelegate: NSObject, URLSessionTaskDelegate {
  private let callback: @Sendable () -> Void
  init(_ callback: @escaping @Sendable () -> Void) { self.callback = callback }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    callback()
  }
}

private final class ParserDelegate: NSObject, XMLParserDelegate {
  private let callback: @Sendable () -> Void
  init(_ callback: @escaping @Sendable () -> Void) { self.callback = callback }

  func parserDidStartDocument(_ parser: XMLParser) { callback() }
}

private func pipeEnds() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
  return (ends[0], ends[1])
}

import Dispatch
import Foundation
import FoundationNetworking
import FoundationXML
import Synchronization
import Testing

@testable import ThreadAffinity

/// A callback known to arrive off the main queue.
struct RealCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// Starts what will call back, once; what must live until then is returned.
  let start: @Sendable (@escaping @Sendable () -> Void) throws -> any Sendable

  var testDescription: String { name }

  static let all: [RealCase] = [
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

@Suite("Callbacks known to arrive off the main queue")
struct RealCasesTests {
  final class Model: Sendable {}

  @Test("An observing hop reports each, and says where it was handed over", arguments: RealCase.all)
  func observed(real: RealCase) async throws {
    let caught = Caught()
    let model = Model()
    let policy = caught.policy.repeating(.always)
    let hop = policy.scoped { MainHop(model, "observed", delivery: .observe) }
    let wasOnMain = try await outcome(of: real, through: hop)
    #expect(!wasOnMain)
    let violation = try #require(caught.violations.first)
    #expect(violation.expected == "main queue")
    #expect(violation.origins.map(\.kind) == [.enqueued, .registered])
    #expect(violation.origins[1].site.function.description == "observed(real:)")
    #expect(!violation.place.isMainQueue)
  }

  @Test("Hopped, each runs on the main queue, and breaks nothing", arguments: RealCase.all)
  func hopped(real: RealCase) async throws {
    let caught = Caught()
    let model = Model()
    let hop = caught.policy.scoped { MainHop(model, "hopped") }
    #expect(try await outcome(of: real, through: hop))
    #expect(caught.violations.isEmpty)
  }

  /// Whether the callback, sent through `hop`, ran on the main queue.
  private func outcome(of real: RealCase, through hop: MainHop<Model>) async throws -> Bool {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Bool.self)
    let kept = try real.start {
      hop.send { _ in
        continuation.yield(MainQueue.isCurrent)
        continuation.finish()
      }
    }
    defer { withExtendedLifetime(kept) {} }
    for await outcome in outcomes { return outcome }
    throw CancellationError()
  }
}

/// Keeps an object that is not `Sendable` alive, or hands it on to one other thread.
struct Held<Object>: @unchecked Sendable {
  let object: Object
  init(_ object: Object) { self.object = object }
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

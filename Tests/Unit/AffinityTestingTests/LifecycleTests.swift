import AffinityTesting
import Breadcrumbs
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

@Suite struct LifecycleTests {
  @Test func movesTellEverybodyInTheSystemsOrderOnTheMainQueue() async throws {
    let app = LifecycleDriver()
    let told = Mutex<[String]>([])
    let names = ["DidFinishLaunching", "DidBecomeActive", "WillResignActive", "DidEnterBackground"]
    for name in names {
      _ = app.notifications.addObserver(
        forName: Notification.Name("UIApplication\(name)Notification"), object: nil, queue: nil
      ) { _ in
        requireMainQueue()
        told.withLock { $0.append(name) }
      }
    }
    try await app.move(.launch)
    try await app.move(.background)
    #expect(told.withLock { $0 } == names)
    #expect(app.state == .background)
  }

  @Test func everyMoveLeavesItsCrumbs() async throws {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("mainstay-life-\(UUID().uuidString).log").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    let recorder = try BreadcrumbRecorder(path: log)
    let app = LifecycleDriver(recorder: recorder)
    for move in [LifecycleDriver.Move.launch, .background, .foreground, .background] {
      try await app.move(move)
    }
    let task = app.beginBackgroundTask("refresh")
    for move in [LifecycleDriver.Move.expiration, .terminate] { try await app.move(move) }
    #expect(app.state == .terminated)
    task.end()
    let shown = try ChildProcess.run("crashscan", ["show", log]).output
    let kinds = ["lifecycle", "background task"]
    let crumbs = shown.split(separator: "\n").compactMap { line in
      kinds.compactMap { line.firstRange(of: "\($0): ")?.upperBound }.first.map {
        String(line[$0...])
      }
    }
    // What the machine may have to say meanwhile is no move's.
    .filter { !$0.hasPrefix("process") && $0 != "did receive memory warning" }
    #expect(
      crumbs == [
        "did launch", "did become active", "will resign active", "did enter background",
        "will enter foreground", "did become active", "will resign active",
        "did enter background", "refresh task=1 step=begin", "refresh task=1 step=expired",
        "will terminate", "refresh task=1 step=end",
      ])
  }

  @Test func whatNoSystemDoesIsRefused() async throws {
    let app = LifecycleDriver()
    await #expect(throws: LifecycleError.self) { try await app.move(.background) }
    try await app.move(.launch)
    await #expect {
      try await app.move(.launch)
    } throws: { error in
      (error as? LifecycleError)?.description
        == "the lifecycle has no transition “launch” from “active”"
    }
    await #expect(throws: LifecycleError.self) { try await app.move(.expiration) }
    #expect(app.state == .active)
    try await app.move(.terminate)
    await #expect(throws: LifecycleError.self) { try await app.move(.foreground) }
  }

  @Test func onlyTasksThatGoOnExpire() async throws {
    let app = LifecycleDriver()
    let expired = Mutex<[String]>([])
    try await app.move(.launch)
    let done = app.beginBackgroundTask("done") { expired.withLock { $0.append("done") } }
    let slow = app.beginBackgroundTask("slow") { expired.withLock { $0.append("slow") } }
    done.end()
    try await app.move(.background)
    try await app.move(.expiration)
    try await app.move(.expiration)
    #expect(expired.withLock { $0 } == ["slow"])
    slow.end()
  }
}

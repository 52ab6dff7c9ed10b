import AffinityTesting
import Breadcrumbs
import Foundation
import ProcessTesting
import Synchronization
import Testing
import ThreadAffinity

@Suite struct LifecycleTests {
  @Test func movesTellEverybodyInTheSystemsOrderOnTheMainQueue() async {
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
    await app.move(.launch)
    await app.move(.background)
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
      await app.move(move)
    }
    let task = app.beginBackgroundTask("refresh")
    for move in [LifecycleDriver.Move.expiration, .terminate] { await app.move(move) }
    #expect(app.state == .terminated)
    task.end()
    let shown = try ChildProcess.run("crashscan", ["show", log]).output
    let kinds = ["lifecycle", "background task"]
    let crumbs = shown.split(separator: "\n").compactMap { line in
      kinds.compactMap { line.firstRange(of: "\($0): ")?.upperBound }.first.map {
        String(line[$0...])
      }
    }.filter { !$0.hasPrefix("process") }
    #expect(
      crumbs == [
        "did launch", "did become active", "will resign active", "did enter background",
        "will enter foreground", "did become active", "will resign active",
        "did enter background", "refresh task=1 step=begin", "refresh task=1 step=expired",
        "will terminate", "refresh task=1 step=end",
      ])
  }

  @Test func whatNoSystemDoesIsRefused() async {
    let app = LifecycleDriver()
    #expect(await !app.move(.background))
    #expect(await app.move(.launch))
    #expect(await !app.move(.launch))
    #expect(await !app.move(.expiration))
    #expect(await app.move(.terminate))
    #expect(await !app.move(.foreground))
  }

  @Test func onlyTasksThatGoOnExpire() async {
    let app = LifecycleDriver()
    let expired = Mutex<[String]>([])
    await app.move(.launch)
    let done = app.beginBackgroundTask("done") { expired.withLock { $0.append("done") } }
    let slow = app.beginBackgroundTask("slow") { expired.withLock { $0.append("slow") } }
    done.end()
    await app.move(.background)
    await app.move(.expiration)
    await app.move(.expiration)
    #expect(expired.withLock { $0 } == ["slow"])
    slow.end()
  }
}

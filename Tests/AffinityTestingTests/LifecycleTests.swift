import AffinityTesting
import Breadcrumbs
import Foundation
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

import AffinityTesting
import HeadlessUI
import Synchronization
import Testing

@MainActor
@Suite(.affinityChecked) struct ApplicationTests {
  private let application = Application()

  @Test func itPostsWhatUIKitPosts() {
    let posted = Mutex<[String]>([])
    let observer = application.notifications.addObserver(forName: nil, object: nil, queue: nil) {
      notification in posted.withLock { $0.append(notification.name.rawValue) }
    }
    application.launch()
    application.enterBackground()
    #expect(application.applicationState == .background)
    application.enterForeground()
    #expect(application.applicationState == .active)
    #expect(
      posted.withLock { $0 } == [
        "UIApplicationDidFinishLaunchingNotification", "UIApplicationDidBecomeActiveNotification",
        "UIApplicationWillResignActiveNotification", "UIApplicationDidEnterBackgroundNotification",
        "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
      ])
    application.notifications.removeObserver(observer)
  }

  @Test func onlyTasksThatAreStillAtWorkExpire() {
    let expired = Mutex<[String]>([])
    let ended = application.beginBackgroundTask(withName: "upload") {
      expired.withLock { $0.append("upload") }
    }
    _ = application.beginBackgroundTask(withName: "refresh") {
      expired.withLock { $0.append("refresh") }
    }
    application.endBackgroundTask(ended)
    application.expireBackgroundTasks()
    application.expireBackgroundTasks()
    #expect(expired.withLock { $0 } == ["refresh"])
    // What has expired must be ended all the same.
    #expect(application.backgroundTasks == ["refresh"])
  }

  @Test func aLifecycleDriverMovesIt() async throws {
    let driver = LifecycleDriver()
    let application = application
    driver.onEvent { application.follow($0) }
    try await driver.move(.launch)
    #expect(application.applicationState == .active)
    try await driver.move(.background)
    #expect(application.applicationState == .background)
  }
}

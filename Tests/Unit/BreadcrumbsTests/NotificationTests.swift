import BreadcrumbNotifications
import Breadcrumbs
import Foundation
import IncidentModel
import Testing

/// Notifications that the author names leave crumbs.
struct NotificationTests {
  private let scratch: Scratch
  private let recorder: BreadcrumbRecorder
  private let center = NotificationCenter()

  init() throws {
    scratch = try Scratch()
    recorder = try BreadcrumbRecorder(path: scratch.log, capacity: 256 << 10, automatic: [])
  }

  private func post(_ name: String) {
    center.post(name: .init(name), object: nil, userInfo: ["secret": "hunter2"])
  }

  @Test func onlyTheNamedOnesAreRecordedOnTheThreadThatPosts() async throws {
    let token = recorder.recordNotifications(named: [.init("one"), .init("two")], from: center)
    let center = center
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        center.post(name: .init("one"), object: nil)
        done.resume()
      }
    }
    post("two")
    post("three")
    token.end()
    post("one")
    let crumbs = try scratch.incident().crumbs
    #expect(crumbs.map(\.message) == ["one", "two"])
    #expect(crumbs.allSatisfy { $0.category == "notification" && $0.kind == .note })
    #expect(crumbs[0].thread != crumbs[1].thread)
  }

  @Test func theyMayBeStepsOfTheLifecycle() throws {
    let token = recorder.recordNotifications(
      named: [.init("app did something")], from: center, as: .lifecycle)
    post("app did something")
    token.end()
    let crumb = try #require(try scratch.incident().crumbs.first)
    #expect(crumb.kind == .lifecycle && crumb.message == "app did something")
    #expect(crumb.stack != nil)
  }

  @Test func lettingTheTokenGoEndsIt() throws {
    do {
      let token = recorder.recordNotifications(named: [.init("one")], from: center)
      withExtendedLifetime(token) { post("one") }
    }
    post("one")
    #expect(try scratch.incident().messages == ["one"])
  }
}

import AffinityTesting
import BackgroundLayout
import Breadcrumbs
import HeadlessUI
import Synchronization
import Testing

// unhopped-callback: FeedController.articleDownload(_:didFinishWith:) (FeedController.swift:118) is
// called on queue NSOperationQueue and touches “article list” without a hop
//   begun ArticleDownload.urlSession(_:downloadTask:didFinishDownloadingTo:) ArticleDownload.swift:47
//   called back FeedController.articleDownload(_:didFinishWith:) FeedController.swift:118
//   no hop to the main queue
//   touched “article list” FeedController.show(_:) FeedController.swift:107

/// The list, in place of the stand-in that `crashscan repro` has written.
@MainActor
private final class DownloadSubject {
  private let reader: Reader
  private let download: ArticleDownload
  private let seen = Mutex<String?>(nil)

  init(_ remedy: Remedy) throws {
    reader = try Reader(remedy, store: HeldStore())
    download = ArticleDownload(from: reader.server.url, delegate: reader.feed)
  }

  /// Whether the screen is what it was when the app went to the background.
  nonisolated var isRight: Bool {
    MainActor.assumeIsolated {
      seen.withLock { $0.map { $0 == reader.window.renderedText() } ?? true }
    }
  }

  nonisolated func lifecycle(_ event: LifecycleEvent) {
    MainActor.assumeIsolated {
      reader.application.follow(event)
      if event == .didEnterBackground { seen.withLock { $0 = reader.window.renderedText() } }
      if event == .willEnterForeground { seen.withLock { $0 = nil } }
    }
  }

  nonisolated func calledBack(_ number: Int) {
    let article = Article(id: number, title: "Article \(number)", text: "")
    reader.feed.articleDownload(download, didFinishWith: [article])
  }
}

@Suite struct ReproDownload {
  private static let storm = CallbackStorm(
    replaying: "background; on queue: FeedController.articleDownload(_:didFinishWith:)")

  @MainActor
  private static func offer(_ remedy: Remedy, to scenario: StormScenario) throws {
    let subject = try DownloadSubject(remedy)
    scenario.lifecycle.onEvent { subject.lifecycle($0) }
    scenario.callback("FeedController.articleDownload(_:didFinishWith:)") { number in
      subject.calledBack(number)
    }
    scenario.check("no UI work in the background") { subject.isRight }
  }

  @Test func theBugFailsIt() async throws {
    let bug = try await Self.storm.findBug(inChildren: true) { try await Self.offer(.none, to: $0) }
    #expect(bug != nil)
  }

  @Test func hoppingAloneChangesTheScreenUnseen() async throws {
    let bug = try await Self.storm.findBug(inChildren: true) { try await Self.offer(.hop, to: $0) }
    #expect(bug?.reason.contains("no UI work in the background") == true)
  }

  @Test func theFixPassesIt() async throws {
    try await Self.storm.run(inChildren: true) { try await Self.offer(.pause, to: $0) }
  }
}

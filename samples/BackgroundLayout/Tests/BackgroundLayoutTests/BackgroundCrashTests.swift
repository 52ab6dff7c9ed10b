import AffinityTesting
import BackgroundLayout
import CrashTesting
import Foundation
import HeadlessUI
import Testing

/// The crash of the story, and the two ways out of it.
@Suite struct BackgroundCrashTests {
  @Test func withoutARemedyADownloadThatEndsInTheBackgroundEndsTheProcess() async {
    await expectCrash(
      .unhoppedCallback, culprit: "FeedController.articleDownload(_:didFinishWith:)",
      within: .seconds(20)
    ) {
      Task { @MainActor in
        let reader = try Reader(.none)
        try await reader.goToBackgroundWhileDownloading()
        reader.server.release()
        try await reader.wait { false }
      }
    }
  }

  @MainActor
  @Test func withoutARemedyABackgroundTaskTouchesTheScreenOffMain() async throws {
    let reader = try Reader(.none)
    let violations = try await expectViolation(of: .main, in: "showSaved") {
      reader.application.enterBackground()
      try await reader.wait { reader.feed.answers == 1 }
    }
    #expect(violations.first?.message == "saved mark")
  }

  @MainActor
  @Test(arguments: [Remedy.hop, .pause])
  func withEitherRemedyTheSameStoryEndsWell(remedy: Remedy) async throws {
    let reader = try Reader(remedy)
    try await expectNoViolations {
      try await reader.goToBackgroundWhileDownloading()
      reader.server.release()
      try await reader.wait { reader.feed.answers == 3 }
      reader.application.enterForeground()
      try await reader.wait { reader.window.renderedText().contains("● Late") }
    }
  }
}

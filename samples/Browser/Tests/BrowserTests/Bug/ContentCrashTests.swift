import AffinityTesting
import CrashTesting
import HeadlessUI
import Testing

@testable import Browser

/// A chapter that arrives off main, and the fix.
@Suite struct ContentCrashTests {
  @Test func withoutAHopAChapterThatArrivesEndsTheProcess() async {
    await expectCrash(
      .unhoppedCallback, culprit: "in ChapterController.load()", within: .seconds(20)
    ) {
      Task { @MainActor in
        let guide = try Guide(.none)
        guide.open()
        guide.window.layoutIfNeeded()
        try await guide.wait { false }
      }
    }
  }

  /// A page in no window is only complained about, which is how the bug got through.
  @MainActor
  @Test func withoutAHopAPageInNoWindowIsTouchedOffMain() async throws {
    let guide = try Guide(.none)
    let page = ChapterController(0, loader: guide.loader, care: .none)
    let violations = try await expectViolation(of: .main, in: "show") {
      _ = page.view
      try await guide.settle()
    }
    #expect(violations.first?.message == "chapter")
  }

  @MainActor
  @Test func withTheHopTheSameStoryEndsWell() async throws {
    let guide = try Guide(.hop)
    try await expectNoViolations {
      guide.open()
      try await guide.settle()
      guide.turnPage()
      try await guide.settle()
    }
    #expect(guide.window.renderedText().contains("This is part 1."))
  }
}

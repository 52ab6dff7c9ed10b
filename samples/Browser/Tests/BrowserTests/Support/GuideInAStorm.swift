import AffinityTesting
import HeadlessUI

@testable import Browser

/// The guide as a storm sees it: chapters come when the storm has them come, also to pages that are gone.
@MainActor
final class GuideInAStorm {
  /// Hands every chapter to the storm.
  private struct Loader: ChapterLoading {
    let chapters: StormCompletions

    func load(_ number: Int, answer: @escaping Answer) -> ChapterLoad {
      chapters.add {
        answer(
          number == 2
            ? .failure(ChapterError("no network"))
            : .success(Chapter(title: "Part \(number)", paragraphs: ["This is part \(number)."])))
      }
      // Too late: the answer is on its way.
      return ChapterLoad {}
    }
  }

  private let source: GuideSource
  private let browser: BrowserController
  private let window = Window(size: Size(width: 30, height: 9))

  private init(_ care: ChapterCare, _ chapters: StormCompletions) {
    source = GuideSource(
      chapters: 6, words: ["hop"], loader: Loader(chapters: chapters), care: care)
    browser = BrowserController(source)
    window.rootViewController = browser
    window.layoutIfNeeded()
  }

  static func offer(_ care: ChapterCare, to scenario: StormScenario, as name: String = "chapter") {
    let guide = GuideInAStorm(care, scenario.completions(name, never: [.twice]))
    scenario.action("next page") { MainActor.assumeIsolated { guide.turnPage(by: 20) } }
    scenario.action("previous page") { MainActor.assumeIsolated { guide.turnPage(by: -20) } }
    scenario.action("turn the screen") { MainActor.assumeIsolated { guide.turnScreen() } }
    scenario.check("the page that is seen shows its own chapter, and rests between the edges") {
      MainActor.assumeIsolated { guide.isRight }
    }
  }

  private func turnPage(by distance: Int) {
    (browser.view as? ScrollView)?.drag(by: Point(x: distance))
  }

  private func turnScreen() {
    if window.frame.width == 30 {
      window.turn(to: Size(width: 38, height: 7), screenEdges: Insets(left: 4, right: 4))
    } else {
      window.turn(to: Size(width: 30, height: 9))
    }
  }

  private var isRight: Bool {
    window.layoutIfNeeded()
    let text = window.renderedText()
    let parts = (0..<6).filter { text.contains("part \($0)") }
    let place = browser.currentController?.view.frameInWindow.minX
    return parts.allSatisfy { $0 == browser.page } && place == 1 + window.screenEdges.left
  }
}

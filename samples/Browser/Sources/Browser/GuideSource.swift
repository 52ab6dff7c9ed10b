import HeadlessUI

/// The pages of a guide: its chapters, then its index, from which one goes on to single words.
package final class GuideSource: BrowserDataSource, Sendable {
  private let chapters: Int
  private let words: [String]
  private let loader: any ChapterLoading
  private let care: ChapterCare

  package init(chapters: Int, words: [String], loader: any ChapterLoading, care: ChapterCare) {
    self.chapters = chapters
    self.words = words
    self.loader = loader
    self.care = care
  }

  package func numberOfPages(in browser: BrowserController) -> Int { chapters + 1 }

  package func browser(
    _ browser: BrowserController, controllerForPage page: Int
  ) -> ViewController {
    if page < chapters { return ChapterController(page, loader: loader, care: care) }
    return index()
  }

  /// The index, in a container of its own.
  private func index() -> ViewController {
    let words = words
    let opener = Opener()
    let index = IndexController(words) { opener.navigation?.pushViewController(word(words[$0])) }
    let navigation = NavigationController(root: index)
    opener.navigation = navigation
    return navigation
  }

  /// The index opens words before there is anything to open them in.
  private final class Opener {
    weak var navigation: NavigationController?
  }
}

/// One word of the index, on a page of its own.
private func word(_ word: String) -> ViewController {
  let controller = ScrollableStackController()
  controller.title = word
  controller.setViews([Label("“\(word)” is explained in the guide.", lines: 0)])
  return controller
}
